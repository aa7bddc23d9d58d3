import { Tabs } from '@mantine/core'
import { CodeBlock } from '../parts/code-block.tsx'

/** A receiver that works when pasted. docs/events.md has the same. */
const snippets = [
  {
    name: 'TypeScript',
    text: `// npm install standardwebhooks
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '')

createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    const headers = request.headers as Record<string, string>
    const event = webhook.verify(Buffer.concat(chunks).toString(), headers)
    console.log(event)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(3000)`,
  },
  {
    name: 'Python',
    text: `# pip install standardwebhooks
import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from standardwebhooks import Webhook

webhook = Webhook(os.environ["WEBHOOK_SECRET"])

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            print(webhook.verify(body.decode(), headers))
            self.send_response(204)
        except Exception:
            self.send_response(400)
        self.end_headers()

HTTPServer(("", 3000), Receiver).serve_forever()`,
  },
] as const

export function VerifySnippets() {
  return (
    <Tabs defaultValue="TypeScript" keepMounted={false}>
      <Tabs.List aria-label="Language">
        {snippets.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ name, text }) => (
        <Tabs.Panel key={name} value={name} pt="sm">
          <CodeBlock label={`${name} receiver`} text={text} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
