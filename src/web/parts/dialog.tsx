import { Modal, type ModalRootProps } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'

interface DialogProps extends Pick<ModalRootProps, 'size' | 'closeOnClickOutside'> {
  readonly title: string
  readonly close: () => void
  readonly children: ReactNode
}

/** Mantine's dialog, but for its header, which would be a second banner on the page for those who hear it. */
export function Dialog({ title, close, children, ...look }: DialogProps) {
  useFocusReturn()
  return (
    <Modal.Root opened onClose={close} {...look}>
      <Modal.Overlay />
      <Modal.Content>
        <div className="dialog-header">
          <Modal.Title className="dialog-title">{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Back to what opened the dialog; where that is gone, to the heading of the page. */
function useFocusReturn(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        const target = opener?.isConnected ? opener : document.querySelector('h1')
        if (target instanceof HTMLElement && !document.querySelector('[role="dialog"]')) target.focus()
      })
    },
    [opener],
  )
}
