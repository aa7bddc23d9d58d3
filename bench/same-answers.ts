import type { Served } from './child.ts'
import type { Subject } from './subjects.ts'

/** Otherwise it would not be the same work: the same bytes of what is read, and rows of the same form of what is created. */
export async function requireSameAnswers(subject: Subject, service: Served, bare: Served): Promise<void> {
  const [own, ...others] = await Promise.all([
    answerOf(subject, service.base + subject.path),
    ...subject.rivals.map(({ path }) => answerOf(subject, bare.base + path)),
  ])
  if (own === undefined || !/^20[01] /.test(own)) throw new Error(`${subject.name} is refused: ${own}`)
  for (const other of others) {
    if (other !== own) throw new Error(`The answers to ${subject.name} differ:\n${own}\n${other}`)
  }
}

async function answerOf({ body, caller }: Subject, url: string): Promise<string> {
  const headers = { ...caller, 'Content-Type': 'application/json' }
  const response = await fetch(url, body === null ? { headers: caller } : { method: 'POST', headers, body })
  const text = await response.text()
  return `${response.status} ${response.headers.get('Content-Type')} ${body === null ? text : withoutMoments(text)}`
}

/** What is created has an id and a time of its own. */
const withoutMoments = (text: string): string =>
  text
    .replaceAll(/"id":"[0-9a-f-]{36}"/g, '"id":""')
    .replaceAll(/"((?:cre|upd)ated_at)":"\d{4}-\d\d-\d\dT[\d:.]+\+00:00"/g, '"$1":""')
