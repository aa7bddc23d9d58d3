import { Button, Group, Modal, type ModalRootProps, Stack, Text } from '@mantine/core'
import { createContext, type ReactNode, type RefObject, use, useEffect, useEffectEvent, useRef, useState } from 'react'

interface DialogProps extends Pick<ModalRootProps, 'size' | 'centered'> {
  readonly title: string
  /** Null where there is no way around it. */
  readonly close: (() => void) | null
  readonly children: ReactNode
}

/** Mantine's dialog, but for its header, which would be a second banner on the page for those who hear it. */
export function Dialog({ title, close, children, ...look }: DialogProps) {
  const typed = useRef(false)
  const [isAsking, setAsking] = useState(false)
  const lastFocused = useRef<Element | null>(null)
  const leave = close && (() => (typed.current ? setAsking(true) : close()))
  const keep = () => {
    setAsking(false)
    // It is hidden until then.
    requestAnimationFrame(() => lastFocused.current instanceof HTMLElement && lastFocused.current.focus())
  }
  useFocusReturn()
  useEscape(isAsking ? keep : leave)
  return (
    // A click beside it is a slip more often than a wish, and what was typed would be gone.
    <Modal.Root opened onClose={() => leave?.()} closeOnClickOutside={false} closeOnEscape={false} {...look}>
      <Modal.Overlay />
      <Modal.Content>
        <div className="dialog-header">
          <Modal.Title className="dialog-title" dir="auto">
            {title}
          </Modal.Title>
          {close && <Modal.CloseButton aria-label="Close" />}
        </div>
        <Modal.Body>
          {isAsking && close && <AskToDiscard keep={keep} discard={close} />}
          <div
            hidden={isAsking}
            onFocusCapture={({ target }) => {
              lastFocused.current = target
            }}
          >
            <TypedContext value={typed}>{children}</TypedContext>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

const TypedContext = createContext<RefObject<boolean> | null>(null)

/** Call it when something was typed: as long as the caller is there, its dialog does not close without asking. */
export function useTyped(): () => void {
  const typed = use(TypedContext)
  useEffect(
    () => () => {
      if (typed) typed.current = false
    },
    [typed],
  )
  return () => {
    if (typed) typed.current = true
  }
}

/** In place of the form, which stays as it is. */
function AskToDiscard({ keep, discard }: { readonly keep: () => void; readonly discard: () => void }) {
  return (
    <Stack>
      <Text>What you typed is not saved. Discard it?</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={discard}>
          Discard
        </Button>
        <Button onClick={keep} ref={(button) => button?.focus()}>
          Keep editing
        </Button>
      </Group>
    </Stack>
  )
}

/** Those that are open, the uppermost last. Mantine would close all of them at once. */
const open: object[] = []

export function useEscape(close: (() => void) | null): void {
  const [self] = useState(() => ({}))
  const closeUppermost = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || open.at(-1) !== self) return
    // An open list within the dialog takes the key for itself.
    const isTaken =
      event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation') === 'true'
    if (!isTaken) close?.()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => closeUppermost(event)
    open.push(self)
    addEventListener('keydown', listen, { capture: true })
    return () => {
      open.splice(open.indexOf(self), 1)
      removeEventListener('keydown', listen, { capture: true })
    }
  }, [self])
}

/** Back to what opened the dialog; where that is gone, to the heading of the page. */
export function useFocusReturn(): void {
  const [opener] = useState(() => (document.activeElement === document.body ? null : document.activeElement))
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        const target = opener?.isConnected ? opener : document.querySelector('h1')
        const [dialog] = [...document.querySelectorAll('[role="dialog"]')].slice(-1)
        if (target instanceof HTMLElement && (!dialog || dialog.contains(target))) target.focus()
      })
    },
    [opener],
  )
}
