import { afterAll } from 'bun:test'
import { stopServer } from './engines.ts'

// Once, after the last file of the run.
afterAll(stopServer)
