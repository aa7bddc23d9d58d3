import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { startProxy, type TcpProxy } from '../support/proxy.ts'
import { endAll, runCli, type Service, startCli, startService, until } from '../support/service.ts'
import type { Reply } from '../support/world.ts'
import {
  type Application,
  expectUnavailable,
  isSearchOver,
  live,
  makeApplication,
  ready,
  searchesMax,
  untilReady,
} from './support.ts'

setDefaultTimeout(300_000)

const connectionsMax = 20
let server: PostgresServer
let proxy: TcpProxy
let service: Service
let acme: Application

beforeAll(async () => {
  server = await startPostgres('off', {
    settings: [`max_connections=${connectionsMax}`, 'superuser_reserved_connections=0'],
  })
  proxy = await startProxy(Number(new URL(server.url).port))
  acme = await makeApplication(server.url)
  service = await startService({ DATABASE_URL: proxy.url(server.url), DATABASE_CONNECTIONS: '5' })
})
afterEach(async () => {
  proxy.pass()
  await untilReady(service)
})
afterAll(async () => {
  await endAll()
  await proxy.close()
  await server.stop()
})

async function asAdmin<Result>(work: (admin: SQL) => Promise<Result>): Promise<Result> {
  const admin = new SQL(server.url, { max: 1 })
  try {
    return await work(admin)
  } finally {
    await admin.close()
  }
}

/**
 * What a request is told beside others while the server is away. The driver tries to connect for five seconds: what
 * waits behind two such attempts has waited too long.
 */
const away = ['PGRST001', 'outcome_unknown', 'overloaded']

/**
 * Creates without a pause while something happens, and until it works again. Nothing that was acknowledged may be
 * missing, and nothing may be there that was refused.
 */
async function underLoad(what: string, happen: () => Promise<void>): Promise<void> {
  const acknowledged: string[] = []
  const refused: string[] = []
  const sent: string[] = []
  let isOver = false
  const client = async (number: number): Promise<void> => {
    for (let at = 0; !isOver; at += 1) {
      const name = `${what} ${number}.${at}`
      sent.push(name)
      const reply = await acme.create(service, name)
      if (reply.status === 201) acknowledged.push(name)
      else {
        expectUnavailable(reply, ...away)
        if (reply.json.code !== 'outcome_unknown') refused.push(name)
        await Bun.sleep(20)
      }
    }
  }
  const clients = Promise.all(Array.from({ length: 8 }, (_, number) => client(number)))
  try {
    const happened = async () => {
      await until(() => acknowledged.length > 50)
      await happen()
      await untilReady(service)
      const before = acknowledged.length
      await until(() => acknowledged.length > before + 50)
    }
    await Promise.race([happened(), clients])
  } finally {
    isOver = true
    await clients
  }
  console.log(`${what}: ${acknowledged.length} of ${sent.length} creates acknowledged`)
  let rows: readonly { readonly project_name: string }[] = []
  // The server may notice only now that one of its processes was killed.
  await until(async () => {
    const { status, json } = await acme.list(service)
    rows = json
    return status === 200
  })
  const stored = rows.map((row) => row.project_name).filter((name) => name.startsWith(`${what} `))
  expect(new Set(stored).size).toBe(stored.length)
  expect(acknowledged.filter((name) => !stored.includes(name))).toEqual([])
  expect(stored.filter((name) => !sent.includes(name) || refused.includes(name))).toEqual([])
}

describe('a server that goes and comes back', () => {
  test.each([
    ['restarted', 'SIGINT'],
    ['restarted at once', 'SIGQUIT'],
    ['ended by kill -9', 'SIGKILL'],
  ] as const)('%s loses nothing that was acknowledged, and doubles nothing', async (what, signal) => {
    await underLoad(what, async () => {
      await server.crash(signal)
      // The processes of a killed server end by themselves, once they notice.
      await until(async () => (await ready(service)).status !== 200)
      expectUnavailable(await ready(service), 'PGRST001')
      expect(await live(service)).toBe(200)
      // What a killed server leaves behind may still be in its memory for a moment.
      await until(() =>
        server.restart().then(
          () => true,
          () => false,
        ),
      )
    })
  })

  test('restarted while nothing is asked serves the next request, whatever it is', async () => {
    await acme.create(service, 'Idle')
    await server.crash('SIGINT')
    await server.restart()
    expect((await acme.change(service, 'Idle', 'Idle no more')).status).toBe(204)
    expect((await acme.list(service)).status).toBe(200)
  })

  test('whose processes are killed one by one recovers each time', async () => {
    await underLoad('killed', async () => {
      for (let times = 0; times < 3; times += 1) {
        // With one of its processes, the server ends the connections of all.
        await until(async () => {
          const backends = await asAdmin<{ pid: number }[]>(
            (admin) => admin`select pid from pg_stat_activity where application_name like 'project-api %' limit 1`,
          ).catch(() => [])
          return backends.some(({ pid }) => hasKilled(pid))
        })
        await untilReady(service)
      }
    })
  })

  test('that cannot be reached is told, and found again', async () => {
    await underLoad('unreachable', async () => {
      await server.crash()
      for (const reply of await Promise.all([ready(service), acme.list(service), acme.create(service, 'Refused')]))
        expectUnavailable(reply, ...away)
      await server.restart()
    })
    expect(await acme.names(service)).not.toContain('Refused')
  })
})

describe('a network that fails', () => {
  test('by cutting every connection is a 503, and nothing once it works again', async () => {
    await underLoad('cut', async () => {
      proxy.drop()
      expectUnavailable(await ready(service), 'PGRST001')
      expect(await live(service)).toBe(200)
      proxy.pass()
    })
  })

  // With the default limit of 30 seconds for a statement: it is not the statement that is slow.
  test('by swallowing everything is a 503 within seconds, and connections that stay dead are given up', async () => {
    await underLoad('swallowed', async () => {
      proxy.freeze()
      const replies = await Promise.all([ready(service), acme.list(service), acme.create(service, 'Swallowed')])
      for (const reply of replies) expectUnavailable(reply, ...away)
      expect(await live(service)).toBe(200)
      proxy.drop()
      proxy.pass()
    })
  })
})

describe('an address that another machine takes over', () => {
  // Nothing tells the old connections that nobody is at their other end any more.
  test('is used by new connections within seconds', async () => {
    let name = ''
    await underLoad('taken over', async () => {
      let isOver = true
      for (let searches = 1; isOver && searches <= searchesMax; searches += 1) {
        name = `Taken over ${searches}`
        const since = performance.now()
        proxy.strand()
        const create = async () => {
          const reply = await acme.create(service, name)
          isOver = isSearchOver(reply, since)
          return reply
        }
        const replies = await Promise.all([ready(service), acme.list(service), create()])
        for (const reply of replies) if (reply.status >= 400) expectUnavailable(reply, ...away)
        if (!isOver) expect(replies[2].status).toBe(201)
      }
      expect(isOver).toBe(false)
    })
    expect((await acme.names(service)).filter((one) => one === name)).toHaveLength(1)
  })
})

describe('a server that is paused', () => {
  test('is a 503 within seconds, and is used again when it goes on', async () => {
    expect((await acme.list(service)).status).toBe(200)
    const backends = await asAdmin<{ pid: number }[]>(
      (admin) => admin`select pid from pg_stat_activity where pid <> pg_backend_pid()`,
    )
    const pids = [server.pid ?? 0, ...backends.map(({ pid }) => pid)]
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    try {
      const replies = await Promise.all([ready(service), acme.list(service), acme.create(service, 'Paused')])
      for (const reply of replies) expectUnavailable(reply, 'PGRST001', 'outcome_unknown')
      expect(await live(service)).toBe(200)
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT')
    }
    await untilReady(service)
    expect((await acme.create(service, 'Not paused')).status).toBe(201)
    expect((await acme.names(service)).filter((name) => name === 'Paused').length).toBeLessThan(2)
  })
})

describe('a server without a free connection', () => {
  test('is a 503, and is used again once there is one', async () => {
    const others = Array.from({ length: connectionsMax }, () => new SQL(server.url, { max: 1 }))
    try {
      await server.crash('SIGINT')
      // The service connects by itself, to number events: it must not be faster than the others.
      proxy.drop()
      await server.restart()
      await until(async () => {
        const answers = await Promise.allSettled(others.map((other) => other.unsafe('select 1')))
        return answers.every(({ status }) => status === 'fulfilled')
      })
      proxy.pass()
      const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => acme.create(service, `Crowded ${n}`)))
      for (const reply of replies) expectUnavailable(reply, 'PGRST001')
      expectUnavailable(await ready(service), 'PGRST001')
      expect(await live(service)).toBe(200)
    } finally {
      await Promise.allSettled(others.map((other) => other.close()))
    }
    await untilReady(service)
    // The connections of the others end one by one.
    await until(async () => (await acme.create(service, 'Room again')).status === 201)
  })

  test('for more than it has serves on those, and refuses at most what needs more', async () => {
    expect((await acme.create(service, 'One connection')).status).toBe(201)
    const others = Array.from({ length: connectionsMax }, () => new SQL(server.url, { max: 1 }))
    try {
      await Promise.allSettled(others.map((other) => other.unsafe('select 1')))
      const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => acme.create(service, `Few ${n}`)))
      for (const reply of replies) if (reply.status !== 201) expectUnavailable(reply, 'PGRST001')
      expect((await acme.create(service, 'Few at last')).status).toBe(201)
      expect((await ready(service)).status).toBe(200)
    } finally {
      await Promise.allSettled(others.map((other) => other.close()))
    }
  })
})

describe('a server that only reads', () => {
  const expectReadsOnly = async () => {
    await until(async () => (await acme.create(service, 'Read-only')).status !== 201)
    expectUnavailable(await acme.create(service, 'Read-only'), '25006')
    expect([(await acme.list(service)).status, (await ready(service)).status, await live(service)]).toEqual([
      200, 200, 200,
    ])
  }

  test('by its settings refuses changes, and takes them when it may', async () => {
    const set = (value: string) =>
      asAdmin(async (admin) => {
        await admin.unsafe('set default_transaction_read_only = off')
        await admin.unsafe(`alter system set default_transaction_read_only = ${value}`)
        await admin.unsafe('select pg_reload_conf()')
      })
    await set('on')
    await expectReadsOnly()
    await set('off')
    await until(async () => (await acme.create(service, 'Writes again')).status === 201)
  })

  test('as a standby refuses changes, and takes them once it is promoted', async () => {
    await server.crash('SIGINT')
    await Bun.write(`${server.data}/standby.signal`, '')
    await server.restart()
    await untilReady(service)
    await expectReadsOnly()
    const { exitCode, stderr } = await runCli(['serve'], { DATABASE_URL: server.url, PORT: '0' })
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Set DATABASE_URL to the primary')])
    await asAdmin((admin) => admin`select pg_promote()`)
    await until(async () => (await acme.create(service, 'Promoted')).status === 201)
  })
})

describe('a server that another one takes over from', () => {
  test('is left for the other, with all that was stored', async () => {
    const [name] = ['Before the failover']
    expect((await acme.create(service, name)).status).toBe(201)
    await server.crash('SIGINT')
    const other = await startPostgres('off', { copyOf: server.data })
    try {
      proxy.redirect(Number(new URL(other.url).port))
      await untilReady(service)
      expect(await acme.names(service)).toContain(name)
      expect((await acme.create(service, 'After the failover')).status).toBe(201)
    } finally {
      await other.crash()
      await server.restart()
      proxy.redirect(Number(new URL(server.url).port))
      await other.stop()
    }
  })

  test('but knows nothing of us is a 503, not a failure of ours', async () => {
    const other = await startPostgres()
    try {
      proxy.redirect(Number(new URL(other.url).port))
      proxy.drop()
      proxy.pass()
      for (const reply of [await acme.list(service), await ready(service), await acme.create(service, 'Nowhere')])
        expectUnavailable(reply, 'PGRST001')
    } finally {
      proxy.redirect(Number(new URL(server.url).port))
      await other.stop()
    }
  })
})

/** What an engine says of itself only when it is in trouble that cannot be made here. */
const troubles: Readonly<Record<string, string>> = {
  '53100': '53100',
  '53200': 'PGRST001',
  '53400': 'PGRST001',
  '57P03': 'PGRST001',
  '58030': 'PGRST001',
  '26000': 'PGRST001',
  '40001': '40P01',
  XX001: 'XX001',
  XX002: 'XX001',
}

describe('a server in trouble', () => {
  test.each(Object.entries(troubles))('of SQLSTATE %s is a 503 of code %s', async (state, code) => {
    await asAdmin(async (admin) => {
      await admin.unsafe(`create function fail() returns trigger language plpgsql as
        $$ begin raise exception 'disk /var/lib/postgresql is in trouble' using errcode = '${state}'; end $$`)
      await admin.unsafe('create trigger fail before insert on project for each row execute function fail()')
    })
    const reply: Reply = await acme.create(service, `Trouble ${state}`)
    await asAdmin((admin) => admin.unsafe('drop function fail cascade'))
    expectUnavailable(reply, code)
    expect(reply.text).not.toContain('/var/lib')
    expect((await acme.create(service, `Trouble ${state}`)).status).toBe(201)
  })

  test('that has changed the type of a column under a prepared statement is served on', async () => {
    const alter = (type: string) =>
      asAdmin((admin) => admin.unsafe(`alter table credential alter column access type ${type}`))
    expect((await acme.list(service)).status).toBe(200)
    await alter('varchar(100)')
    // A credential is remembered for a second.
    await Bun.sleep(1100)
    expect((await acme.list(service)).status).toBe(200)
    await alter('text')
  })
})

describe('a start', () => {
  const refusal = async (DATABASE_URL: string) => {
    const { exitCode, stderr } = await runCli(['serve'], { DATABASE_URL, PORT: '0' })
    expect(exitCode).toBe(1)
    expect(stderr).not.toContain('pa55word')
    return stderr
  }
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(server.url)
    change(url)
    return url.href
  }

  test('on a database that does not exist says so', async () => {
    const url = changed((one) => {
      one.pathname = '/nowhere'
    })
    expect(await refusal(url)).toMatch(/cannot be used: database "nowhere" does not exist\. Check .*DATABASE_URL/)
  })

  test('with a wrong password says so, and not the password', async () => {
    const hba = await asAdmin(async (admin) => {
      await admin.unsafe("create role guest login password 'right'")
      const [{ hba_file }] = await admin.unsafe('show hba_file')
      const file: string = hba_file
      await Bun.write(file, `host all guest 127.0.0.1/32 scram-sha-256\n${await Bun.file(file).text()}`)
      await admin.unsafe('select pg_reload_conf()')
      return file
    })
    expect(hba).toContain(server.data)
    const url = changed((one) => {
      one.username = 'guest'
      one.password = 'pa55word'
    })
    expect(await refusal(url)).toMatch(/password authentication failed for user "guest"\. Check .*DATABASE_URL/)
  })

  test('without a server, or with one that is silent, says so', async () => {
    const nobody = changed((one) => {
      one.port = '9'
    })
    expect(await refusal(nobody)).toContain('Check that it runs')
    proxy.freeze()
    // Once: `runCli` would wait for it.
    const start = startCli(['serve'], { DATABASE_URL: proxy.url(server.url), PORT: '0' })
    expect([await start.ended, start.stderr]).toEqual([1, expect.stringContaining('Check that it runs')])
    proxy.pass()
  })
})

test('the service said nothing of 500 in all of this', () => {
  expect(service.stdout).not.toContain('"status":500')
  expect(service.stderr).toBe('')
})

/** A connection may have ended since it was listed. */
function hasKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}
