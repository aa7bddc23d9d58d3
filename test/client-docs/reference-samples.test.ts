import { expect, test } from 'bun:test'
import { createClient } from '@supabase/supabase-js'
import { openapiText } from '../../src/docs/openapi.ts'
import { type Operation, readDocument } from '../../src/docs/page/read-document.ts'
import { samplesOf } from '../../src/docs/page/samples.ts'
import { onEachEngine } from '../support/engines.ts'
import type { World } from '../support/world.ts'

const { groups } = readDocument(JSON.parse(openapiText()))
const samplesAt = (base: string, operation: Operation, group: (typeof groups)[number]) =>
  samplesOf(operation, group, `${base}/rest/v1`)

onEachEngine('the examples of the reference page', (world) => {
  for (const group of groups) {
    for (const operation of group.operations) {
      test(`${operation.summary}`, async () => {
        const samples = samplesAt(world.base, operation, group)
        expect(samples.length).toBe(operation.needsKey ? 2 : 1)
        for (const { language, text } of samples) {
          await prepare(world, group.name)
          expect(await runners[language](world, text)).toBe('good')
        }
      }, 120_000)
    }
  }
})

/** The company has the rows of the examples: that of the resource, and those that it refers to. */
async function prepare(world: World, name: string): Promise<void> {
  for (const { name: resource, fields } of groups)
    if (fields.length > 0) await world.acme.delete(`/${resource}?id=not.is.null`)
  const first = groups.findIndex((group) => group.name === name)
  for (const group of groups.slice(first).toReversed()) {
    const put = group.operations.find(({ method }) => method === 'PUT')
    const [sample] = put ? samplesAt(world.base, put, group) : []
    if (sample) await runners.curl(world, sample.text)
  }
}

const runners = {
  curl: async (world: World, text: string): Promise<string> => {
    const [api_key, api_secret] = keysOf(world)
    const env = { PATH: process.env.PATH ?? '', PROJECT_API_KEY: api_key, PROJECT_API_SECRET: api_secret }
    const run = Bun.spawn(['bash', '-c', text.replace('curl', 'curl -sS --fail-with-body')], { env, stderr: 'pipe' })
    const [code, out, error] = [await run.exited, await run.stdout.text(), await run.stderr.text()]
    return code === 0 ? 'good' : `${code} ${out} ${error}`
  },
  'supabase-js': async (world: World, text: string): Promise<string> => {
    const [api_key, api_secret] = keysOf(world)
    const api = createClient(world.base, api_key, { global: { headers: { 'X-API-Secret': api_secret } } })
    // What the page shows is code for a program, and has to run as it stands.
    const { error } = await new Function('api', `return (async () => { ${text}\nreturn { error } })()`)(api)
    return error === null ? 'good' : JSON.stringify(error)
  },
}

const keysOf = ({ acme }: World): [string, string] => [acme.headers.apikey ?? '', acme.headers['X-API-Secret'] ?? '']
