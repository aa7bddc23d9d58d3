export default {
  project: {
    input: './generated/openapi.json',
    output: { target: './generated/orval.ts', client: 'fetch', baseUrl: { runtime: 'process.env.API_URL' } },
  },
}
