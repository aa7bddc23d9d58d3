import type { AttackRequest, Body } from './attack-request.ts'

export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

export function ids(count: number, from = 0): string {
  return Array.from({ length: count }, (_, at) => idOf(from + at)).join(',')
}

export function json(text: string, times?: number): Body {
  return { type: 'application/json', rows: times === undefined ? { text } : { text, times } }
}

export function texts(letter: string, times: number): string {
  return Array.from({ length: 7 }, (_, at) => `"text_${at}":"«${letter}×${times}»"`).join(',')
}

export function read(...query: readonly string[]): AttackRequest {
  return {
    as: 'credential',
    company: 'large',
    method: 'GET',
    path: '/rest/v1/project',
    query: query.map((text) => ({ text })),
  }
}

export function write(method: string, query: string, body?: Body): AttackRequest {
  const parts = query.split('&').filter(Boolean)
  return {
    ...{ as: 'credential', company: 'large', method, path: '/rest/v1/project', query: parts.map((text) => ({ text })) },
    headers: { Prefer: { text: 'return=minimal' } },
    ...(body ? { body } : {}),
  }
}

export function upsert(times: number): AttackRequest {
  const row = `{"id":"00000000-0000-4000-8000-00000001§§§§","bid_id":"${idOf(0)}","project_name":"b"}`
  return {
    ...write('POST', '', json(row, times)),
    headers: { Prefer: { text: 'resolution=merge-duplicates,return=minimal' } },
  }
}

export function stream(filter: string, copies: number): AttackRequest {
  const changed = write('PATCH', `id=eq.${idOf(0)}`, json('{"project_name":"«a ×120»"}'))
  return { ...read(filter), headers: { Accept: { text: 'text/event-stream' } }, copies, next: changed }
}

export function events(): AttackRequest {
  return { ...read('select=id'), headers: { Accept: { text: 'text/event-stream' }, 'Last-Event-ID': { text: '1' } } }
}

export function page(path: string, ...query: readonly string[]): AttackRequest {
  return { as: 'viewer', company: 'large', method: 'GET', path, query: query.map((text) => ({ text })) }
}

export function setting(method: string, path: string, text: string): AttackRequest {
  return { as: 'owner', company: 'large', method, path, body: json(text) }
}

/** A part of a file of which no cell is a choice. */
export function file(columns: readonly string[], lines: number): string {
  const line = columns.map(() => 'x').join(',')
  return JSON.stringify({ text: `«${line}\n×${lines}»`, delimiter: ',', columns, first: 2 })
}
