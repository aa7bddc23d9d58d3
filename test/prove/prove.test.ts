import { proveShortly } from './short-proofs.ts'

await proveShortly('sqlite')
