/** Buttons copy the code beside them, and say so. Where the browser does not permit it, they select it. */
export function startCopying(): void {
  addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>('button.copy') : null
    const code = button?.closest('figure')?.querySelector('pre')
    if (button && code) void copy(button, code)
  })
}

async function copy(button: HTMLButtonElement, code: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '')
    say(button, 'Copied')
  } catch {
    getSelection()?.selectAllChildren(code)
    say(button, 'Press Ctrl+C')
  }
  setTimeout(() => say(button, 'Copy'), 2500)
}

/** The first text of the button is what people see; the other, for those who hear it, stays. */
function say(button: HTMLButtonElement, words: string): void {
  if (button.firstChild) button.firstChild.textContent = words
}
