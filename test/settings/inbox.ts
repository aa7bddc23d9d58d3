import { createServer, type Socket } from 'node:net'
import { freePort } from '../support/postgres.ts'
import { until } from '../support/service.ts'

/** A server for mail that takes everything and keeps it, but for addresses that begin with "refused-". */
export async function openInbox() {
  const letters: string[] = []
  const smtp = createServer((socket) => takeMail(socket, letters))
  const port = await freePort()
  const listen = () => new Promise<void>((resolve) => smtp.listen(port, '127.0.0.1', resolve))
  await listen()
  const letterTo = async (email: string, subject = ''): Promise<string> => {
    const find = () => letters.find((letter) => letter.includes(`To: ${email}`) && letter.includes(subject))
    await until(() => find() !== undefined)
    return find() ?? ''
  }
  const whileAway = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await new Promise((resolve) => smtp.close(resolve))
    const result = await work()
    await listen()
    return result
  }
  return { url: `smtp://127.0.0.1:${port}`, letters, letterTo, whileAway, close: () => void smtp.close() }
}

function takeMail(socket: Socket, letters: string[]): void {
  let text = ''
  let isLetter = false
  socket.write('220 test\r\n')
  socket.on('data', (bytes) => {
    text += bytes
    if (isLetter && !text.endsWith('\r\n.\r\n')) return
    if (isLetter) letters.push(text.replaceAll('=\r\n', '').replaceAll('=3D', '='))
    const isStart = /^data\r\n/i.test(text)
    const isRefused = /^rcpt to:<refused-/i.test(text)
    socket.write(
      isRefused
        ? '550 no such mailbox\r\n'
        : isStart
          ? '354 go on\r\n'
          : /^quit/i.test(text)
            ? '221 bye\r\n'
            : '250 ok\r\n',
    )
    isLetter = isStart
    text = ''
  })
}
