import { Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icons.tsx'
import { useNavigate } from '../session.tsx'
import { type Target, useTargets } from './palette-targets.tsx'

/** Leads anywhere by a part of a name: pages, actions, companies, credentials and rows. */
export function Palette({ close }: { readonly close: () => void }) {
  const [text, setText] = useState('')
  /** What the arrow keys have led to; otherwise, the first one is chosen. */
  const [picked, setPicked] = useState<string | null>(null)
  const [isEntered, setEntered] = useState(false)
  const [dialog, setDialog] = useState<ReactNode>(null)
  const navigate = useNavigate()
  const id = useId()
  const { targets, isCurrent, known } = useTargets(text.trim())
  const pickedAt = targets.findIndex((target) => keyOf(target) === picked)
  const chosen = Math.max(0, pickedAt)
  /** Whether what is chosen is what the text means, and not only the first of what is there by now. */
  const isSure = isCurrent || chosen < known || pickedAt !== -1
  const go = (target: Target | undefined) => {
    if (!target) return
    if ('dialog' in target) return setDialog(target.dialog(close))
    close()
    if ('to' in target) navigate(target.to)
    else target.run()
  }
  // Whoever types a name and Enter does not look at the list, and need not wait for it.
  useEffect(() => {
    if (!isEntered || !isSure) return
    setEntered(false)
    go(targets[chosen])
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    setEntered(step === undefined)
    const next = step === undefined ? undefined : targets.at((chosen + step) % targets.length)
    if (next) setPicked(keyOf(next))
  }
  if (dialog) return dialog
  return (
    // At the top: in the middle, the field would move as the list below it grows and shrinks.
    <Dialog title="Go to" close={close} centered={false}>
      <TextInput
        role="combobox"
        aria-label="Page, action, credential or row"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={targets[chosen] ? `${id}-${chosen}` : undefined}
        placeholder="A part of its name"
        leftSection={<Icon name="search" size={16} />}
        autoComplete="off"
        dir="auto"
        data-autofocus
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setPicked(null)
          setEntered(false)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label="Found" aria-busy={!isCurrent} className="palette">
        {targets.map((target, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above.
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the chosen one.
          <div
            key={keyOf(target)}
            id={`${id}-${index}`}
            role="option"
            ref={index === chosen ? (item) => item?.scrollIntoView({ block: 'nearest' }) : null}
            aria-selected={index === chosen}
            className="palette-item"
            // The list may change between a press and its release, which would then be no click.
            onMouseDown={(event) => {
              if (event.button !== 0) return
              event.preventDefault()
              go(target)
            }}
            onClick={() => go(target)}
          >
            <Icon name={target.icon} size={16} />
            <span className="clamp" dir="auto">
              {target.label}
            </span>
            <Text component="span" size="xs" c="dimmed">
              {target.kind}
            </Text>
          </div>
        ))}
      </div>
      {targets.length === 0 && (
        <Text size="sm" c="dimmed" mt="sm" role="status">
          {isCurrent ? `Nothing has “${text.trim()}” in its name.` : 'Searching…'}
        </Text>
      )}
    </Dialog>
  )
}

const keyOf = ({ kind, key }: Target): string => `${kind} ${key}`
