/** A client of PostgreSQL says this where the server stands still for seconds while it connects. Nothing was done then. */
export const connectionTimeout = 'Connection timeout after'

/** PostgreSQL waits for five seconds until others have left a database that is copied or removed. */
const othersAreThere = 'is being accessed by other users'

/** Together longer than a process of a busy machine stands still. */
const triesMax = 5

/** Does it again where the server stood still: not for longer than that, as it may be what is wrong. */
export async function untilConnected<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isOfStandstill(error) || tries === triesMax) throw error
    }
  }
}

/** Nothing was done. */
function isOfStandstill(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // The time of a statement was over.
  if ('status' in error && error.status === 504) return true
  const said = `${error} ${error.cause}`
  return said.includes(connectionTimeout) || said.includes(othersAreThere)
}

/** A command that was run to its end. */
export interface Ended {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** The same for a command, which prints what went wrong. */
export async function untilConnectedCommand(run: () => Promise<Ended>): Promise<Ended> {
  let ended = await run()
  for (let tries = 1; tries < triesMax && hasNotConnected(ended); tries += 1) ended = await run()
  return ended
}

const hasNotConnected = ({ exitCode, stdout, stderr }: Ended): boolean =>
  exitCode === 1 && (stdout + stderr).includes(connectionTimeout)
