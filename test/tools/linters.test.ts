import { expect, test } from 'bun:test'
import { openapiText } from '../../src/docs/openapi.ts'
import { swaggerText } from '../../src/docs/swagger.ts'
import { runTool, writeDocument } from './run-tool.ts'

test('Redocly finds nothing to warn of', async () => {
  const path = await writeDocument('openapi.json', openapiText('https://api.acme.test'))
  const report = await runTool('redocly', ['lint', '--format', 'json', path])
  const { totals } = JSON.parse(report.slice(report.indexOf('{'), report.lastIndexOf('}') + 1))
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
})

for (const [name, text] of [
  ['openapi.json', openapiText('https://api.acme.test')],
  ['swagger.json', swaggerText('https://api.acme.test')],
] as const) {
  test(`Spectral finds nothing to warn of in ${name}`, async () => {
    const path = await writeDocument(name, text)
    const rules = await writeDocument('spectral.yaml', 'extends: ["spectral:oas"]\n')
    const report = await runTool('spectral', ['lint', '--fail-severity', 'hint', '--ruleset', rules, path])
    expect(report).toContain('No results with a severity')
  })
}
