import { namedSite } from '../settings/passkey-support.ts'
import type { TestEngine } from '../support/engines.ts'
import { type Recorded, recording } from '../support/recording.ts'
import { World } from '../support/world.ts'
import { isOfAll, tour } from './tour.ts'

export interface RecordedTour {
  readonly ofOneCompany: readonly Recorded[]
  readonly ofAll: readonly Recorded[]
}

/** What a service sends that is asked for everything, to a new database. */
export async function recordTour(engine: TestEngine): Promise<RecordedTour> {
  const all: Recorded[] = []
  const world = new World(namedSite, (db) => recording(db, (statement) => all.push(statement)))
  await world.open(engine)
  try {
    await tour(world)
    if (world.failed.length > 0) throw world.failed[0]
    return { ofOneCompany: all.filter((one) => !isOfAll(one)), ofAll: all.filter(isOfAll) }
  } finally {
    await world.close()
  }
}
