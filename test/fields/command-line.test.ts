import { expect, test } from 'bun:test'
import { runHere } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { until } from '../support/service.ts'

onEachEngine('fields on the command line', (world) => {
  const run = async (...words: string[]) => {
    const { exitCode, stdout, stderr } = await runHere(['field', ...words, '--json'], {
      DATABASE_URL: world.databaseUrl,
    })
    return { exitCode, json: JSON.parse(exitCode === 0 ? stdout : stderr) }
  }
  const status = ['--company', 'Acme', '--resource', 'project', '--name', 'status']

  test('are created, changed, archived and restored', async () => {
    const choices = ['--choices', 'lead,won:Won:green,lost', '--initial', 'lead', '--transitions', 'lead>won,lead>lost']
    const made = await run('create', ...status, '--type', 'choice', ...choices)
    expect(made.json).toMatchObject({
      ...{ resource: 'project', name: 'status', type: 'choice', label: 'Status', initial: 'lead' },
      transitions: { lead: ['won', 'lost'] },
    })
    expect(made.json.choices[1]).toEqual({ value: 'won', label: 'Won', color: 'green', closed: false })
    const changed = await run('update', ...status, '--label', 'State', '--closed', 'lost', '--required')
    expect(changed.json).toMatchObject({
      label: 'State',
      required: true,
      choices: [{}, {}, { value: 'lost', closed: true }],
    })
    expect((await run('update', ...status, '--optional', '--no-transitions')).json).toMatchObject({
      required: false,
      transitions: null,
    })
    const amount = ['--company', 'Acme', '--resource', 'project', '--name', 'amount']
    await run(
      'create',
      ...amount,
      '--type',
      'decimal',
      '--scale',
      '3',
      '--minimum',
      '0',
      '--default',
      '1.5',
      '--indexed',
    )
    expect(
      (await run('update', ...amount, '--position', '1', '--minimum', '-100', '--maximum', '10')).json,
    ).toMatchObject({
      ...{ position: 1, indexed: true, default_value: '1.5' },
      rules: { minimum: '-100', maximum: '10', scale: 3 },
    })
    expect((await run('update', ...amount, '--minimum', '-x')).json.error).toBe(
      `Option '--minimum' argument is ambiguous. See "field update --help".`,
    )
    // The service learns within a second of what another process has changed.
    await until(async () => 'amount' in (await world.acme.get('/project?limit=1')).json[0])
    const { json } = await world.acme.post('/project', { bid_id: world.acme.bid, project_name: 'P' })
    expect(json).toMatchObject({ amount: 1.5, status: 'lead' })
    expect((await run('archive', ...status)).json.archived_at).not.toBeNull()
    expect((await run('restore', ...status)).json.archived_at).toBeNull()
    const listed = await run('list', '--company', 'Acme')
    expect(listed.json.map(({ name }: { name: string }) => name)).toEqual(['amount', 'status'])
    expect((await run('list', '--company', 'Rival')).json).toEqual([])
  })

  test.each([
    [['--type', 'money'], 1, 'There is no type "money"'],
    [['--type', 'choice', '--choices', 'a', '--initial', 'a', '--transitions', 'a-b'], 2, '--transitions'],
    [['--type', 'text', '--max-length', 'long'], 2, '--max-length'],
    [['--type', 'choice', '--choices', 'a', '--closed', 'b'], 2, '--closed'],
  ])('are refused with a reason: %j', async (words, exitCode, reason) => {
    const refused = await run('create', '--company', 'Acme', '--resource', 'bid', '--name', 'odd', ...words)
    expect([refused.exitCode, refused.json.error]).toEqual([exitCode, expect.stringContaining(reason)])
  })

  test('are changed for a company that has them alone', async () => {
    const { exitCode, json } = await run('archive', '--company', 'Rival', '--resource', 'project', '--name', 'status')
    expect([exitCode, json.error]).toEqual([1, expect.stringContaining('There is no field "status"')])
  })
})
