import type { Served } from './child.ts'
import type { Rival, Subject } from './subjects.ts'

/** Checks that both do the same work: reads return the same bytes, and creates return rows of the same form. */
export async function requireSameAnswers(subject: Subject, service: Served, bare: Served): Promise<void> {
  const own = await ask(subject, service.base + subject.path)
  if (!/^20[01] /.test(own.text)) throw new Error(`${subject.name} is refused: ${own.text}`)
  for (const rival of subject.rivals) {
    await tellHead(rival, own.head, bare)
    const other = await ask(subject, bare.base + rival.path)
    if (other.text !== own.text) throw new Error(`The answers to ${subject.name} differ:\n${own.text}\n${other.text}`)
    const [wanted, found] = [own, other].map(({ head }) => head.map(([name]) => name).toString())
    if (isWhole(rival) && found !== wanted) throw new Error(`The heads of ${subject.name} differ:\n${wanted}\n${found}`)
  }
}

type Head = readonly (readonly [name: string, value: string])[]

const isWhole = ({ path }: Rival): boolean => path.startsWith('/whole/')

/** The bare handler sends the headers that it is given here. */
async function tellHead(rival: Rival, head: Head, bare: Served): Promise<void> {
  const [, , name] = rival.path.split('/')
  if (isWhole(rival)) await fetch(`${bare.base}/head/${name}`, { method: 'POST', body: JSON.stringify(head) })
}

/** Headers that the runtime adds. */
const ofTheRuntime: readonly string[] = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']

async function ask({ body, caller }: Subject, url: string): Promise<{ readonly text: string; readonly head: Head }> {
  const headers = { ...caller, 'Content-Type': 'application/json' }
  const response = await fetch(url, body === null ? { headers: caller } : { method: 'POST', headers, body })
  const text = await response.text()
  const type = response.headers.get('Content-Type')
  return {
    text: `${response.status} ${type} ${body === null ? text : withoutMoments(text)}`,
    head: [...response.headers].filter(([name]) => !ofTheRuntime.includes(name)),
  }
}

/** Without ids and times, which differ in every created row. */
const withoutMoments = (text: string): string =>
  text
    .replaceAll(/"id":"[0-9a-f-]{36}"/g, '"id":""')
    .replaceAll(/"((?:cre|upd)ated_at)":"\d{4}-\d\d-\d\dT[\d:.]+\+00:00"/g, '"$1":""')
