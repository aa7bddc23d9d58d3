import type { Company, Session } from '../api-types.ts'
import { readable } from '../rows/query.ts'
import { confirm } from './confirm.ts'
import { make } from './dom.ts'
import { answerPart } from './try-answer.ts'

/** What the server says of an operation that can be tried. */
export interface Trial {
  readonly method: string
  /** `/project` */
  readonly path: string
  readonly summary: string
  readonly query: readonly TrialField[]
  readonly headers: readonly TrialField[]
  /** A body to begin with; null for an operation without one. */
  readonly body: string | null
}

interface TrialField {
  readonly name: string
  readonly example: string
  /** What stands in the field from the beginning. */
  readonly value: string
}

/** The fields of a request, and what it was answered with. */
export function tryForm(trial: Trial, session: Session): HTMLFormElement {
  const { method, path, summary, query, headers, body } = trial
  const isWrite = method !== 'GET' && method !== 'HEAD'
  const company = companyChoice(session)
  const inQuery = query.map(fieldOf)
  const others = fieldOf({ name: 'Other parameters', example: 'own_field=eq.17&bid.select=id', value: '' })
  const inHeaders = headers.map(fieldOf)
  const sent = body === null ? null : make('textarea', { value: body, rows: 8, spellcheck: false, ariaLabel: 'Body' })
  const line = make('code', { className: 'try-line' })
  const send = make('button', { type: 'submit', className: 'primary' }, 'Send')
  const refusal = make('p', { className: 'try-refusal' })
  const answer = answerPart()

  const pathAndQuery = () => {
    const asked = [...filled(inQuery), ...new URLSearchParams(others.input.value)]
    const text = readable(new URLSearchParams(asked))
    return path + (text && `?${text}`)
  }
  const refresh = () => {
    line.textContent = `${method} /rest/v1${pathAndQuery()}`
    const mayNot = isWrite && company.chosen().role === 'viewer'
    send.disabled = mayNot
    refusal.hidden = !mayNot
    refusal.textContent = `Only developers and owners can do this, and you are a viewer of ${company.chosen().name}.`
  }
  const submit = async () => {
    const { id, name } = company.chosen()
    if (isWrite && !(await confirm(`${summary} in ${name}?`, questionOf(name, line.textContent ?? '')))) return
    send.disabled = true
    await answer.show(`/api/c/${id}/rest${pathAndQuery()}`, {
      method,
      headers: { ...(sent ? { 'Content-Type': 'application/json' } : {}), ...Object.fromEntries(filled(inHeaders)) },
      body: sent?.value ?? null,
    })
    refresh()
  }

  const form = make(
    'form',
    {},
    company.part,
    group('Query', [...inQuery, others]),
    group('Headers', inHeaders),
    ...(sent ? [make('p', { className: 'try-title' }, 'Body'), sent] : []),
    make('p', {}, line),
    refusal,
    send,
    answer.part,
  )
  form.addEventListener('input', refresh)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })
  refresh()
  return form
}

const questionOf = (company: string, request: string): string =>
  `It changes the data of ${company}: ${request}. With tx=rollback in Prefer, the answer is the same and nothing is kept.`

interface Choice {
  readonly part: HTMLElement
  chosen(): Company
}

/** The company that the request is for: a choice where the person has several. */
function companyChoice({ company, companies }: Session): Choice {
  const usual = company ?? companies[0]
  if (!usual) throw new Error('The person is in no company.')
  if (companies.length === 1) {
    const name = make('bdi', {}, usual.name)
    return { part: make('p', {}, 'In ', name, `, as its ${usual.role}.`), chosen: () => usual }
  }
  const options = companies.map(({ id, name }) => make('option', { value: id, selected: id === usual.id }, name))
  const select = make('select', {}, ...options)
  return {
    part: make('label', { className: 'try-field' }, 'Company', select),
    chosen: () => companies.find(({ id }) => id === select.value) ?? usual,
  }
}

interface EnteredField {
  readonly name: string
  readonly input: HTMLInputElement
}

const fieldOf = ({ name, example, value }: TrialField): EnteredField => ({
  name,
  input: make('input', { placeholder: example, value, autocomplete: 'off', spellcheck: false }),
})

const filled = (fields: readonly EnteredField[]): [string, string][] =>
  fields.filter(({ input }) => input.value !== '').map(({ name, input }) => [name, input.value])

function group(title: string, fields: readonly EnteredField[]): HTMLElement {
  const labels = fields.map(({ name, input }) => make('label', { className: 'try-field' }, name, input))
  const legend = make('legend', { className: 'try-title' }, title)
  return make('fieldset', { hidden: fields.length === 0 }, legend, make('div', { className: 'try-fields' }, ...labels))
}
