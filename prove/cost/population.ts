import type { Random } from '../random.ts'
import { type Attacker, type AttackRequest, attackers, isOneAttack } from './attack-request.ts'
import type { Measured } from './measure.ts'

/** What the adversary climbs towards: for each of them, and each attacker, the best requests are kept and bred from. */
const aims = {
  stall: ({ stallMs }: Measured) => stallMs,
  create: ({ createMs }: Measured) => createMs,
  'stall for each byte': ({ stallMs, bytes }: Measured) => stallMs / (bytes + smallBytes),
  memory: ({ grownMb }: Measured) => grownMb,
  'memory for each byte': ({ grownMb, bytes }: Measured) => grownMb / (bytes + smallBytes),
} as const

type Aim = keyof typeof aims
const aimNames = Object.keys(aims) as Aim[]

/** Of less than this, nobody would have to send less. */
const smallBytes = 1000
const eliteMax = 8

interface Kept {
  readonly request: AttackRequest
  readonly measured: Measured
}

/** The worst requests so far. */
export class Population {
  private readonly elites = new Map<string, Kept[]>()

  /** Whether a request is bad enough to be bred from. */
  wants(request: AttackRequest, measured: Measured): boolean {
    return aimNames.some((aim) => {
      const elite = this.eliteOf(request.as, aim)
      const last = elite.at(-1)
      return isFor(aim, request) && (elite.length < eliteMax || !last || aims[aim](measured) > aims[aim](last.measured))
    })
  }

  add(request: AttackRequest, measured: Measured): void {
    for (const aim of aimNames.filter((one) => isFor(one, request))) {
      const elite = this.eliteOf(request.as, aim)
      elite.push({ request, measured })
      elite.sort((a, b) => aims[aim](b.measured) - aims[aim](a.measured))
      elite.splice(eliteMax)
    }
  }

  pick(random: Random): AttackRequest | null {
    const elite = this.eliteOf(random.pick(attackers), random.pick(aimNames))
    return elite.length === 0 ? null : random.pick(elite).request
  }

  /** Those that did most. */
  worst(attacker: Attacker, aim: 'stall' | 'create' | 'memory'): Kept | undefined {
    return this.eliteOf(attacker, aim)[0]
  }

  private eliteOf(attacker: Attacker, aim: Aim): Kept[] {
    const key = `${attacker} ${aim}`
    const elite = this.elites.get(key) ?? []
    this.elites.set(key, elite)
    return elite
  }
}

/** Stalls are those of single requests: what many connections do to others is for the proof of the neighbour. */
const isFor = (aim: Aim, request: AttackRequest): boolean => isOneAttack(request) || aim.startsWith('memory')
