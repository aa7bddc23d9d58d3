import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useEscape, useFocusReturn } from '../parts/dialog.tsx'

interface SidePanelProps {
  readonly title: string
  readonly close: () => void
  /** What can be done with what is shown. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** All of one row, beside the table that it is in. */
export function SidePanel({ title, close, actions, children }: SidePanelProps) {
  useFocusReturn()
  useEscape(close)
  return (
    <Drawer.Root opened onClose={close} position="right" size={440} closeOnEscape={false}>
      <Drawer.Overlay backgroundOpacity={0.25} />
      <Drawer.Content>
        <div className="dialog-header">
          <Drawer.Title className="dialog-title" dir="auto">
            {title}
          </Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </div>
        <Drawer.Body>
          {actions && <div className="panel-actions">{actions}</div>}
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
