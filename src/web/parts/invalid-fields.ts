import { type FormEvent, useState } from 'react'
import type { Fields } from './field-errors.ts'

/** What the browser refuses to submit is said at its field, in the place of the browser's own bubble. */
export function useInvalidFields(fields: Fields) {
  const [words, setWords] = useState<Readonly<Record<string, string>>>({})
  const onInvalidCapture = (event: FormEvent<HTMLFormElement>) => {
    const { target } = event
    const name = target instanceof HTMLElement && isControl(target) && nameOf(target, fields)
    if (!name) return
    event.preventDefault()
    setWords((now) => ({ ...now, [name]: wordsOf(target) }))
    if (event.currentTarget.querySelector(':is(input, textarea, select):invalid') === target) target.focus()
  }
  return { words, onInvalidCapture, forget: () => setWords({}) }
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const isControl = (element: HTMLElement): element is Control => 'validity' in element

/** Fields are known by their labels. */
const nameOf = ({ labels }: Control, fields: Fields): string | undefined =>
  Object.entries(fields).find(([, label]) => label === labels?.[0]?.textContent)?.[0]

const wordsOf = (control: Control): string => {
  if (!control.validity.valueMissing) return control.validationMessage
  return control.getAttribute('aria-haspopup') === 'listbox' ? 'Choose one.' : 'Fill this in.'
}
