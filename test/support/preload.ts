import { afterAll } from 'bun:test'
import { stopServer } from './engines.ts'

// Once, after the last file of the run.
afterAll(stopServer)

// Hundreds of passwords are hashed here, each at a tenth of a second of CPU time. Services in processes of their own do it
// at full cost, which a test looks at.
const { hash } = Bun.password
Bun.password.hash = (password) => hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })
