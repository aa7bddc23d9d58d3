import { Menu, Text } from '@mantine/core'
import { type MouseEventHandler, type RefCallback, useId, useLayoutEffect, useState } from 'react'
import { Icon, type IconName } from '../parts/icons.tsx'

/** Something that can be done with a row. */
export interface RowAction {
  readonly label: string
  readonly icon: IconName
  /** What it does, or where it leads. */
  readonly run?: () => void
  readonly link?: { readonly href: string; readonly onClick: MouseEventHandler }
  /** Why it cannot be done. */
  readonly refusal?: string | null
  readonly isGrave?: boolean
}

/** Within the page, so that it belongs to its landmark, and outside of the table, which would cut it off. */
export const besideTable = { withinPortal: true, portalProps: { target: '#content' } } as const

interface RowMenuProps {
  readonly name: string
  readonly actions: () => readonly RowAction[]
}

/** The menu itself is made when it is first opened: a page has one for each row. */
export function RowMenu({ name, actions }: RowMenuProps) {
  const id = useId()
  const [button, setButton] = useState<HTMLElement | null>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        id={id}
        className="menu-button"
        aria-label={`Actions for ${name}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={({ currentTarget }) => {
          setButton(currentTarget)
          setOpen(!isOpen)
        }}
      >
        <Icon name="dots" size={16} />
      </button>
      {button && (
        <Menu id={id} opened={isOpen} onChange={setOpen} position="bottom-end" width={240} {...besideTable}>
          <Menu.Target>
            <Present element={button} />
          </Menu.Target>
          <Menu.Dropdown>
            {actions().map((action) => (
              <Item key={action.label} {...action} />
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}

interface PresentProps {
  readonly element: HTMLElement
  /** Given by what it is the target of. */
  readonly ref?: RefCallback<HTMLElement>
}

/** Stands for an element that is on the page already. */
function Present({ element, ref }: PresentProps) {
  useLayoutEffect(() => {
    ref?.(element)
  }, [element, ref])
  return null
}

function Item({ label, icon, run, link, refusal = null, isGrave = false }: RowAction) {
  const look = { leftSection: <Icon name={icon} size={16} />, ...(isGrave ? { c: 'var(--mantine-color-error)' } : {}) }
  if (refusal !== null) {
    return (
      <Menu.Item {...look} aria-disabled data-disabled closeMenuOnClick={false}>
        {label}
        <Text size="xs" c="dimmed">
          {refusal}
        </Text>
      </Menu.Item>
    )
  }
  if (link) {
    return (
      <Menu.Item {...look} component="a" {...link}>
        {label}
      </Menu.Item>
    )
  }
  return (
    <Menu.Item {...look} onClick={run}>
      {label}
    </Menu.Item>
  )
}
