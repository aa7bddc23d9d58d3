import { createSocket, type RemoteInfo } from 'node:dgram'

/** IPv4 addresses; or it answers that it is broken, or not at all. A name that is not listed does not exist. */
type NameAnswer = readonly string[] | 'broken' | 'silent'

/** A name server on this machine. */
export interface NameServer {
  /** For `dns.setServers`. */
  readonly address: string
  readonly answers: Map<string, NameAnswer>
  /** Each question, in the order in which they came. */
  readonly asked: string[]
  readonly askedNames: Set<string>
  /** Says of all names that it was silent about, and will be asked, that they do not exist. */
  giveUp(): void
  stop(): void
}

const typeA = 1
const [hasAnswer, broken, unknown] = [0x8180, 0x8182, 0x8183]

export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  const answers = new Map<string, NameAnswer>()
  const asked: string[] = []
  const held: { readonly question: Buffer; readonly from: RemoteInfo }[] = []
  let isSilent = true

  const reply = (question: Buffer, from: RemoteInfo): void => {
    const { name, type, end } = parseQuestion(question)
    const known = answers.get(name)
    if (known === 'silent' && isSilent) {
      held.push({ question, from })
      return
    }
    const addresses = Array.isArray(known) && type === typeA ? known : []
    const head = Buffer.from(question.subarray(0, end))
    head.writeUInt16BE(known === 'broken' ? broken : Array.isArray(known) ? hasAnswer : unknown, 2)
    head.writeUInt16BE(addresses.length, 6)
    // No additional records, which a question may have.
    head.writeUInt16BE(0, 10)
    // Each refers to the name of the question, and is of the class of the internet, to be kept for no time.
    const records = addresses.map((address) =>
      Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    )
    socket.send(Buffer.concat([head, ...records]), from.port, from.address)
  }

  const askedNames = new Set<string>()
  socket.on('message', (question, from) => {
    const { name } = parseQuestion(question)
    asked.push(name)
    askedNames.add(name)
    reply(question, from)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    ...{ address: `127.0.0.1:${socket.address().port}`, answers, asked, askedNames },
    giveUp: () => {
      isSilent = false
      for (const { question, from } of held.splice(0)) reply(question, from)
    },
    stop: () => void socket.close(),
  }
}

/** The name, the kind of record, and where the question ends. */
function parseQuestion(message: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}
