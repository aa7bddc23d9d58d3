export interface Mail {
  send(message: { readonly to: string; readonly subject: string; readonly text: string }): Promise<void>
}

/** Mail by the server that SMTP_URL names. The module is loaded with the first message: most installations send none. */
export function createMail(smtpUrl: string, from: string): Mail {
  return {
    send: async (message) => {
      const { createTransport } = await import('nodemailer')
      await createTransport(smtpUrl).sendMail({ from, ...message })
    },
  }
}
