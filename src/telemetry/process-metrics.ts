import { readdirSync } from 'node:fs'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { version } from '../../package.json'

/** Metrics of the process itself. Returns a function that stops measuring. */
export function measureProcess(registry: Registry, engine: string): () => void {
  const registers = [registry]
  new Gauge({
    name: 'project_api_build_info',
    help: 'The version of the service, of Bun and the engine.',
    labelNames: ['version', 'bun', 'engine'],
    registers,
  }).set({ version, bun: Bun.version, engine }, 1)
  new Gauge({ name: 'process_start_time_seconds', help: 'When the process started.', registers }).set(
    Date.now() / 1000 - process.uptime(),
  )
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time, user and system.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  gauge('process_resident_memory_bytes', 'Resident memory of the process.', () => process.memoryUsage().rss)
  gauge('process_heap_bytes', 'Used JavaScript heap.', () => process.memoryUsage().heapUsed)
  if (process.platform === 'linux')
    gauge('process_open_fds', 'Open files and connections.', () => readdirSync('/proc/self/fd').length)
  return measureEventLoop(registry)
}

const everyMs = 50

/** A cumulative histogram. One that is reset after each read would be wrong for two readers. */
function measureEventLoop(registry: Registry): () => void {
  const delay = new Histogram({
    name: 'project_api_event_loop_delay_seconds',
    help: `Delay of timers in the event loop, measured every ${everyMs} ms.`,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  let dueAt = performance.now() + everyMs
  const look = () => {
    const now = performance.now()
    delay.observe(Math.max(0, now - dueAt) / 1000)
    dueAt = now + everyMs
    timer = setTimeout(look, everyMs).unref()
  }
  let timer = setTimeout(look, everyMs).unref()
  return () => clearTimeout(timer)
}
