import { make } from './dom.ts'

/** Asks before something is changed. Escape and Cancel mean no. */
export function confirm(title: string, question: string): Promise<boolean> {
  const heading = make('h2', { id: 'confirm-title' }, title)
  const cancel = make('button', { type: 'submit', value: 'no', autofocus: true }, 'Cancel')
  const send = make('button', { type: 'submit', value: 'yes', className: 'primary' }, 'Send the request')
  const buttons = make('p', { className: 'dialog-buttons' }, cancel, send)
  const form = make('form', { method: 'dialog' }, heading, make('p', {}, question), buttons)
  const dialog = make('dialog', {}, form)
  dialog.setAttribute('aria-labelledby', heading.id)
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'yes')
    })
  })
}
