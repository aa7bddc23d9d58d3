import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openapiText } from '../../src/docs/openapi.ts'
import { exampleOf } from '../../src/docs/schemas.ts'
import { resources } from '../../src/resources/index.ts'
import { onEachEngine } from '../support/engines.ts'
import { generated, runTool, writeDocument } from './run-tool.ts'

interface Field {
  readonly key: string
  readonly value: string
}

interface Item {
  readonly name: string
  readonly item?: Item[]
  readonly request?: {
    readonly method: string
    readonly url: { readonly path: readonly string[]; query?: Field[] }
    header?: Field[]
  }
}

interface Collection {
  readonly item: Item[]
}

/** The rows in the examples of the document. */
const examples = Object.fromEntries(
  resources.map((resource) => [resource.name, exampleOf(resource, resource.columns.values())]),
)
const absent = '01890a5d-ac96-774b-bcce-b302099a8058'

const requestsOf = (items: readonly Item[]): NonNullable<Item['request']>[] =>
  items.flatMap(({ item, request }) => [...(request ? [request] : []), ...requestsOf(item ?? [])])

const document = await writeDocument('openapi.json', openapiText())
const converted = join(generated, 'collection.json')
const options = 'folderStrategy=Tags,parametersResolution=Example'
await runTool('openapi2postmanv2', ['-s', document, '-o', converted, '-p', '-O', options])

const readCollection = (): Promise<Collection> => Bun.file(converted).json()

const isOfRows = ({ method, url }: NonNullable<Item['request']>): boolean =>
  url.path.join('') !== '' && method !== 'OPTIONS'

/** As a user prepares it: the secret is filled in, a row is named for what changes one, and the other fields are unticked. */
function prepare(collection: Collection, secret: string): void {
  for (const request of requestsOf(collection.item)) {
    const { method, url, header = [] } = request
    const kept = header.filter(({ key }) => ['X-API-Secret', 'Content-Type'].includes(key))
    request.header = kept.map((field) => (field.key === 'X-API-Secret' ? { ...field, value: secret } : field))
    const named = method === 'DELETE' ? absent : examples[url.path.at(-1) ?? '']?.id
    url.query = ['PATCH', 'PUT', 'DELETE'].includes(method) ? [{ key: 'id', value: `eq.${named}` }] : []
  }
}

onEachEngine('a Postman collection', (world) => {
  test('has the secret in every request for rows', async () => {
    const requests = requestsOf((await readCollection()).item).filter(isOfRows)
    const without = requests.filter(({ header }) => !header?.some(({ key }) => key === 'X-API-Secret'))
    expect([requests.length, without]).toEqual([16, []])
  })

  test('runs through newman', async () => {
    const { apiKey, apiSecret } = world.acme
    await world.acme.post('/bid', { id: examples.bid?.id, bid_name: 'Of the examples' })
    const collection = await readCollection()
    prepare(collection, apiSecret)
    const [path, report] = ['prepared.json', 'newman.json'].map((name) => join(generated, name))
    await Bun.write(path ?? '', JSON.stringify(collection))
    const variables = ['--env-var', `baseUrl=${world.base}/rest/v1`, '--env-var', `apiKey=${apiKey}`]
    await runTool('newman', ['run', path ?? '', ...variables, '-r', 'json', '--reporter-json-export', report ?? ''])
    const { executions, failures } = (await Bun.file(report ?? '').json()).run
    const codes: number[] = executions.map(({ response }: { response: { code: number } }) => response.code)
    expect([failures, codes.length, codes.filter((code) => code >= 300)]).toEqual([[], 22, []])
    const { json } = await world.acme.get(`/project?project_name=eq.${examples.project?.project_name}`)
    expect(json.length).toBeGreaterThan(0)
    expect((await world.rival.get('/project')).json).toHaveLength(1)
  })
})
