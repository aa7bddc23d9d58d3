# Builds the executable, and puts it alone into a slim image.
FROM node:22-bookworm-slim AS build
WORKDIR /build
# Only these files decide what is installed, so a change of the sources does not install again.
COPY package.json package-lock.json .npmrc ./
COPY scripts/ready.js scripts/
RUN node scripts/ready.js production
COPY . .
RUN npm run build

FROM debian:bookworm-slim
RUN useradd --uid 10001 --no-create-home --home-dir /data project-api && install -d -m 700 -o project-api /data
COPY --from=build /build/dist/project-api /usr/local/bin/project-api
USER project-api
WORKDIR /data
VOLUME /data
ENV HOST=0.0.0.0 DATABASE_URL=/data/project-api.db DEMO=off LOG=json
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=6s --start-period=10s CMD ["project-api", "health"]
ENTRYPOINT ["project-api"]
CMD ["serve"]
