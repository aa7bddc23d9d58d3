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
    text: `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

secret = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

def is_genuine(headers, body):
    timestamp = headers["webhook-timestamp"]
    signed = f"{headers['webhook-id']}.{timestamp}.".encode() + body
    signature = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
    fits = any(hmac.compare_digest(f"v1,{signature}", one) for one in headers["webhook-signature"].split())
    return fits and abs(time.time() - int(timestamp)) < 300

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        genuine = is_genuine(self.headers, body)
        if genuine:
            print(json.loads(body))
        self.send_response(204 if genuine else 400)
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
