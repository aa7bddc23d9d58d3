import { type AdminParts, createAdmin } from '../admin.ts'
import type { Config } from '../config/config.ts'
import { type Listening, listen } from '../server.ts'
import { explainListenErrors, type Served } from './instance.ts'

/** Starts the operator port, if one is set. If that fails, the service does not start either. */
export async function startAdmin(
  config: Config,
  server: Served,
  parts: Omit<AdminParts, 'metrics'>,
): Promise<Listening | null> {
  const { adminHost: host, adminPort: port } = config
  const { metrics } = server
  if (port === null || metrics === null) return null
  const own = { ...config, host, port, workers: 1, tls: null }
  try {
    return explainListenErrors({ host, port, prefix: 'ADMIN_' }, () => listen(own, createAdmin({ ...parts, metrics })))
  } catch (error) {
    await server.stop()
    throw error
  }
}
