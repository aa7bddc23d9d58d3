import { type Command, CommandError } from './command.ts'

/** For where nothing else can ask, such as inside of a container. */
export const health: Command = {
  summary: 'Ask the service that runs here whether it is ready',
  words: [],
  flags: {},
  run: async ({ config: { host, port, tls } }) => {
    const asked = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
    const url = `${tls ? 'https' : 'http'}://${asked}:${port}/health/ready`
    // A certificate is for the name that others use, and not for this machine's own.
    const asking = { signal: AbortSignal.timeout(5000), tls: { rejectUnauthorized: false } }
    const answer = await fetch(url, asking).catch(() => null)
    if (!answer)
      throw new CommandError(`Nothing answers at ${url}. Is the service started, with the same HOST and PORT?`)
    if (!answer.ok) throw new CommandError(`The service at ${url} is not ready: it answers ${answer.status}.`)
    return { json: { ready: true }, text: 'ready' }
  },
}
