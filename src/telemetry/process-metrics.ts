import { readdirSync } from 'node:fs'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { version } from '../../package.json'

/** Metrics of the process itself. Returns a function that stops measuring. */
export function measureProcess(registry: Registry, engine: string): () => void {
  const registers = [registry]
  new Gauge({
    name: 'project_api_build_info',
    help: 'Which version runs, on what.',
    labelNames: ['version', 'bun', 'engine'],
    registers,
  }).set({ version, bun: Bun.version, engine }, 1)
  new Gauge({ name: 'process_start_time_seconds', help: 'When the process started.', registers }).set(
    Date.now() / 1000 - process.uptime(),
  )
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Time of the processor, of the user and of the system.',
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
  gauge('process_resident_memory_bytes', 'Memory that the process holds.', () => process.memoryUsage().rss)
  gauge('process_heap_bytes', 'The part of it that objects use.', () => process.memoryUsage().heapUsed)
  if (process.platform === 'linux')
    gauge('process_open_fds', 'Files and connections that are open.', () => readdirSync('/proc/self/fd').length)
  return measureEventLoop(registry)
}

const everyMs = 50

/** A cumulative histogram. One that is reset after each read would be wrong for two readers. */
function measureEventLoop(registry: Registry): () => void {
  const delay = new Histogram({
    name: 'project_api_event_loop_delay_seconds',
    help: `How late the event loop comes to what is due, measured every ${everyMs} ms.`,
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
