import { hostInUrl } from '../server.ts'
import { type Command, CommandError } from './command.ts'

/** For health checks where no HTTP client is available, such as inside a container. */
export const health: Command = {
  summary: 'Check whether the service on this machine is ready',
  words: [],
  flags: {},
  run: async ({ config: { host, port, tls } }) => {
    const url = `${tls ? 'https' : 'http'}://${hostInUrl(host)}:${port}/health/ready`
    // The certificate is for the public host name, not for localhost.
    const options = { signal: AbortSignal.timeout(5000), tls: { rejectUnauthorized: false } }
    const answer = await fetch(url, options).catch(() => null)
    if (!answer)
      throw new CommandError(`Nothing answers at ${url}. Is the service started, with the same HOST and PORT?`)
    if (!answer.ok) throw new CommandError(`The service at ${url} is not ready: it answers ${answer.status}.`)
    return { json: { ready: true }, text: 'ready' }
  },
}
