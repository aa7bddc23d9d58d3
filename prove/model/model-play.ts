import { Random } from '../random.ts'
import type { Company } from './model-companies.ts'
import type { Operation, Scene } from './model-filter.ts'
import { type Expected, type Kind, Oracle, type Row } from './model-oracle.ts'
import { list } from './model-read.ts'
import { difference } from './model-select.ts'
import { insert, put, remove, update } from './model-write.ts'

/** What came of it. */
export interface Played {
  readonly operations: number
  readonly answersChecked: number
  readonly rowsChecked: number
  readonly differences: readonly string[]
  /** Answers that held something of another company. */
  readonly foreign: readonly string[]
}

const rowsMax = { bid: 12, project: 50 }
const kinds: readonly Kind[] = ['bid', 'project']

/** Every company does one thing in each round, all at the same time, and each answer is compared with what the oracle says. */
export async function play(companies: readonly Company[], size: number, seed: number): Promise<Played> {
  const players = companies.map((company, at) => new Player(company, `C${String(at).padStart(2, '0')}`, seed + at))
  const others = new Random(seed - 1)
  const foreignId = (kind: Kind): string => others.pick(others.pick(players).oracle.ids(kind)) ?? others.uuid()
  let operations = 0
  while (operations < size) {
    const round = players
      .slice(0, size - operations)
      .map((player) => ({ player, operation: makeOperation(player.scene(foreignId)) }))
    await Promise.all(round.map(({ player, operation }) => player.perform(operation)))
    operations += round.length
  }
  return {
    operations,
    answersChecked: operations,
    rowsChecked: players.reduce((sum, { rowsChecked }) => sum + rowsChecked, 0),
    differences: players.flatMap((player) => player.differences),
    foreign: players.flatMap((player) => player.foreign),
  }
}

function makeOperation(scene: Scene): Operation {
  const { random, oracle } = scene
  const kind: Kind = random.chance(0.75) ? 'project' : 'bid'
  const isFull = oracle.tables[kind].size > rowsMax[kind]
  const which = random.next()
  if (which < 0.45) return list(scene, kind)
  if (which < 0.7) return isFull ? remove(scene, kind) : insert(scene, kind)
  if (which < 0.78) return put(scene, kind)
  return which < 0.92 ? update(scene, kind) : remove(scene, kind)
}

class Player {
  readonly oracle: Oracle
  readonly differences: string[] = []
  readonly foreign: string[] = []
  rowsChecked = 0
  private readonly random: Random

  constructor(
    private readonly company: Company,
    mark: string,
    seed: number,
  ) {
    this.oracle = new Oracle(mark)
    this.random = new Random(seed)
  }

  scene(foreignId: Scene['foreignId']): Scene {
    return { random: this.random, oracle: this.oracle, foreignId }
  }

  async perform(operation: Operation): Promise<void> {
    const { method, path, headers, body } = operation
    const expected = operation.expected()
    const response = await this.company.ask(method, path, headers, body)
    const text = await response.text()
    const stranger = (text.match(/C\d\d /g) ?? []).find((mark) => mark !== `${this.oracle.mark} `)
    // What was asked for may stand in a failure; a row may not stand anywhere.
    if (stranger && response.status < 300)
      this.foreign.push(`${this.oracle.mark} saw ${stranger}by ${method} ${path}: ${text}`)
    const differs = this.compare(operation, expected, response, text)
    if (differs === null) return
    this.differences.push(
      `${this.oracle.mark} ${method} ${path} ${JSON.stringify(headers)} ${body}: ${differs}. Got ${response.status} ${text.slice(0, 300)}`,
    )
    await this.adopt()
  }

  private compare(operation: Operation, expected: Expected, response: Response, text: string): string | null {
    const { status, code, rows, isObject, range } = expected
    if (response.status !== status) return `the status is ${response.status} in place of ${status}`
    if (code) return JSON.parse(text).code === code ? null : `the code is not ${code}`
    if (range && response.headers.get('Content-Range') !== range)
      return `the range is ${response.headers.get('Content-Range')} in place of ${range}`
    if (!rows) return text === '' ? null : 'there is a body'
    const shown: unknown[] = isObject ? [JSON.parse(text)] : JSON.parse(text)
    if (shown.length !== rows.length) return `there are ${shown.length} rows in place of ${rows.length}`
    this.rowsChecked += rows.length
    const differences = rows.map((row, at) => difference(this.oracle, operation.selection, row, shown[at]))
    if (operation.method === 'POST') for (const row of rows) this.oracle.keep(operation.kind, row)
    return differences.find((one) => one !== null) ?? null
  }

  /** After a difference, goes on from what the service has. */
  private async adopt(): Promise<void> {
    for (const kind of kinds) {
      const response = await this.company.ask('GET', `/${kind}`)
      if (response.status === 200) this.oracle.adopt(kind, (await response.json()) as Row[])
    }
  }
}
