import { runWorker } from './cli/run-worker.ts'

runWorker()
