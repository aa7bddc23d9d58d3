import { isTooBusy } from '../proof.ts'
import { Random } from '../random.ts'
import type { Company } from './model-companies.ts'
import type { Operation, Scene } from './model-filter.ts'
import { type Expected, type Kind, Oracle } from './model-oracle.ts'
import { list } from './model-read.ts'
import { difference } from './model-select.ts'
import { insert, put, remove, update } from './model-write.ts'

/** What came of it. */
export interface Played {
  readonly operations: number
  readonly answersChecked: number
  readonly rowsChecked: number
  readonly differences: readonly string[]
  /** Answers that held a row of another company. */
  readonly foreign: readonly string[]
  /** Answers that held the name or a choice of another company's field, which was not asked for. */
  readonly foreignNames: readonly string[]
  /** The answer of a machine that was too busy, which ended it: the model does not know what was done. */
  readonly tooBusy: string | null
}

/** What companies with fields of their own do beside reading and writing rows. */
export interface OwnFieldsPlay {
  /** Another request than one for rows, now and then. */
  ask(scene: Scene, kind: Kind): Operation | null
  /** A change of the company's fields in place of a request, now and then. */
  change(scene: Scene, company: Company, kind: Kind): Promise<void>
}

const rowsMax = { bid: 12, project: 50 }
const kinds: readonly Kind[] = ['bid', 'project']

/** Every company does one thing in each round, all at the same time, and each answer is compared with what the oracle says. */
export async function play(
  companies: readonly Company[],
  size: number,
  seed: number,
  own?: OwnFieldsPlay,
): Promise<Played> {
  const players = companies.map((company, at) => new Player(company, `C${String(at).padStart(2, '0')}`, seed + at))
  const others = new Random(seed - 1)
  const foreignId = (kind: Kind): string => others.pick(others.pick(players).oracle.ids(kind)) ?? others.uuid()
  const foreignField = (): string | null => {
    const { fields } = others.pick(players).oracle
    return others.pick([...fields.project, ...fields.bid])?.name ?? null
  }
  let operations = 0
  while (operations < size && players.every(({ tooBusy }) => tooBusy === null)) {
    const round = players.slice(0, size - operations)
    // All are made before any is done, so that an id of another company is one that it has now.
    const turns = round.map((player) => player.plan({ foreignId, foreignField }, own))
    await Promise.all(turns.map((turn) => turn()))
    operations += round.length
  }
  return {
    operations,
    answersChecked: operations,
    rowsChecked: players.reduce((sum, { rowsChecked }) => sum + rowsChecked, 0),
    differences: players.flatMap((player) => player.differences),
    foreign: players.flatMap((player) => player.foreign),
    foreignNames: players.flatMap((player) => player.foreignNames),
    tooBusy: players.find(({ tooBusy }) => tooBusy !== null)?.tooBusy ?? null,
  }
}

function makeOperation(scene: Scene, kind: Kind): Operation {
  const { random, oracle } = scene
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
  readonly foreignNames: string[] = []
  rowsChecked = 0
  tooBusy: string | null = null
  private readonly random: Random

  constructor(
    private readonly company: Company,
    mark: string,
    seed: number,
  ) {
    this.oracle = new Oracle(mark)
    this.random = new Random(seed)
  }

  /** What it does next. */
  plan(others: Pick<Scene, 'foreignId' | 'foreignField'>, own: OwnFieldsPlay | undefined): () => Promise<void> {
    const { random, oracle } = this
    const scene: Scene = { random, oracle, ...others }
    const kind: Kind = random.chance(0.75) ? 'project' : 'bid'
    if (own && random.chance(oracle.fields[kind].length < 3 ? 0.2 : 0.02))
      return () => own.change(scene, this.company, kind)
    const operation = own?.ask(scene, kind) ?? makeOperation(scene, kind)
    return () => this.perform(operation)
  }

  private async perform(operation: Operation): Promise<void> {
    const { method, path, headers, body } = operation
    const expected = operation.expected()
    const response = await this.company.ask(method, path, headers, body)
    const text = await response.text()
    this.findForeign(operation, response.status, text)
    if (response.status >= 500 && isTooBusy(text)) {
      this.tooBusy = text
      return
    }
    const differs = this.compare(operation, expected, response, text)
    if (differs === null) return
    this.differences.push(
      `${this.oracle.mark} ${method} ${path} ${JSON.stringify(headers)} ${body}: ${differs}. Got ${response.status} ${text.slice(0, 300)}`,
    )
    await this.adopt()
  }

  private findForeign({ method, path, body }: Operation, status: number, text: string): void {
    const { mark } = this.oracle
    const seen = (what: string): string => `${mark} saw ${what} by ${method} ${path}: ${status} ${text.slice(0, 1000)}`
    const sent = `${decodeURIComponent(path)} ${body}`
    const stranger = (text.match(/C\d\d /g) ?? []).find((one) => one !== `${mark} `)
    // What was asked for may stand in a failure; a row may not stand anywhere.
    if (stranger && (status < 300 || !sent.includes(stranger))) this.foreign.push(seen(stranger))
    const name = (text.match(/c\d\d_\w+/g) ?? []).find((one) => !one.startsWith(mark.toLowerCase()))
    if (name && (status < 300 || !sent.includes(name))) this.foreignNames.push(seen(name))
  }

  private compare(operation: Operation, expected: Expected, response: Response, text: string): string | null {
    const { status, codes, rows, isObject, range, check } = expected
    if (text !== '' && !isJson(text)) return 'it is no JSON'
    if (response.status !== status) return `the status is ${response.status} in place of ${status}`
    if (codes) return codes.includes(JSON.parse(text).code) ? null : `the code is not ${codes.join(' or ')}`
    if (check) return check(text)
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
      const text = await response.text()
      if (response.status === 200 && isJson(text)) this.oracle.adopt(kind, JSON.parse(text))
    }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
