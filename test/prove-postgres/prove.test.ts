import { proveShortly } from '../prove/short-proofs.ts'

await proveShortly('postgres')
