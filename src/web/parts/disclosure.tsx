import { Button, Collapse } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { Icon, type IconName } from './icons.tsx'

interface DisclosureProps {
  /** Of the button, while the content is hidden. */
  readonly label: string
  /** While it is shown; the same if not given. */
  readonly openLabel?: string
  readonly icon: IconName
  readonly children: ReactNode
}

/** A button that shows and hides what few people need. */
export function Disclosure({ label, openLabel = label, icon, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div className="disclosure">
      <Button
        variant="subtle"
        size="xs"
        px={6}
        leftSection={<Icon name={icon} size={16} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? openLabel : label}
      </Button>
      <Collapse expanded={isOpen} id={id} keepMounted={false}>
        {children}
      </Collapse>
    </div>
  )
}
