import { catalogueOf } from '../test/cluster/catalogue.ts'
import { recordTour } from '../test/cluster/record-tour.ts'
import { startPostgres } from '../test/support/postgres.ts'

/** Prints every statement that the service sends, with values, as input for psql: see docs/scale.md. */
const server = await startPostgres()
try {
  const { ofOneCompany, ofAll } = await recordTour({
    name: 'postgres',
    makePlace: async () => ({ url: `${server.url}?citus=true`, remove: async () => {} }),
  })
  process.stdout.write(catalogueOf(ofOneCompany, ofAll))
} finally {
  await server.stop()
}
