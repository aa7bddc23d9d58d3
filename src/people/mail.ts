import { printable, printableLines } from './printable.ts'

export interface Message {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mail {
  send(message: Message): Promise<void>
}

/** A person waits for the result, and the server may never answer. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 } as const

/** Sends mail through the server in SMTP_URL. The module is loaded with the first message, because most installations send none. */
export function createMail(smtpUrl: string, from: string): Mail {
  return {
    send: async ({ to, subject, text }) => {
      const { createTransport } = await import('nodemailer')
      const message = { to, subject: printable(subject), text: printableLines(text) }
      await createTransport({ url: smtpUrl, ...timeouts }).sendMail({ from, ...message })
    },
  }
}
