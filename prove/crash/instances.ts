import { freePort } from '../../test/support/postgres.ts'
import { type Environment, type Service, startService } from '../../test/support/service.ts'

/** Processes of the service on one database, each of which can be ended and started again where it was. */
export interface Instances {
  readonly bases: readonly string[]
  /** Ends one of them in this way and waits until the next one in its place answers. */
  replace(at: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

export async function startInstances(env: Environment, count: number): Promise<Instances> {
  const services: Service[] = []
  for (let at = 0; at < count; at += 1) services.push(await startService({ ...env, PORT: String(await freePort()) }))
  const bases = services.map(({ base }) => base)
  return {
    bases,
    replace: async (at, signal) => {
      const service = services[at]
      if (!service) throw new Error(`There is no instance ${at}`)
      service.kill(signal)
      await service.ended
      services[at] = await startService({ ...env, PORT: new URL(service.base).port })
    },
  }
}
