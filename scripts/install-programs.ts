import { installMissing } from '../test/support/debian.ts'
import { programs } from '../test/support/programs.ts'

/** `bun scripts/install-programs.ts`: before the tests begin, so that it takes nothing of the time that one of them has. */
try {
  installMissing(Object.values(programs))
} catch (error) {
  // The tests that need a program say so themselves.
  console.error(error instanceof Error ? error.message : error)
}
