const control = 'a, button, input, select, textarea, [role="button"], [role="option"], [role="menuitem"]'

/**
 * Ignores the second click of a double click where it would land on something that appeared under the pointer, or submit
 * a second time.
 */
export function guardDoubleClicks(): void {
  let first: EventTarget | null = null
  const guard = (event: MouseEvent) => {
    const target = event.target instanceof Element ? (event.target.closest(control) ?? event.target) : event.target
    if (event.detail < 2) {
      if (event.type === 'mousedown') first = target
      return
    }
    const submits = target instanceof HTMLButtonElement && target.type === 'submit'
    if (target === first && !submits) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  for (const type of ['mousedown', 'mouseup', 'click'] as const) addEventListener(type, guard, { capture: true })
}
