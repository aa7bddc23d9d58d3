import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { onEachEngine } from '../support/engines.ts'

/** More than is answered while another request is, also where that one has to wait for a busy machine. */
const many = 20_000
/** A process of PostgreSQL that works for the other one may stand still alone, but not in each round. */
const roundsMax = 4

onEachEngine('thousands of requests on one connection', (world) => {
  for (const path of ['/health/live', '/nowhere', '/docs', '/rest/v1/rpc/x']) {
    test(`do not keep others from being served (${path})`, async () => {
      let answersBefore = many
      for (let rounds = 0; answersBefore >= many && rounds < roundsMax; rounds += 1) {
        const { port } = new URL(world.base)
        const socket = connect(Number(port), '127.0.0.1')
        let answers = 0
        socket.on('data', (bytes) => {
          answers += bytes.toString('latin1').split('HTTP/1.1 ').length - 1
        })
        socket.on('error', () => {})
        const closed = new Promise((resolve) => socket.once('close', resolve))
        const before = new Promise((resolve) => socket.once('data', resolve))
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(many))
        await Promise.race([before, closed])
        const { status } = await world.rival.get('/project?limit=1')
        answersBefore = answers
        expect(status).toBe(200)
        socket.destroy()
        await closed
      }
      expect(answersBefore).toBeLessThan(many)
    })
  }
})
