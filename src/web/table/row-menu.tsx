import { ActionIcon, Menu, Text } from '@mantine/core'
import type { MouseEventHandler } from 'react'
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

export function RowMenu({ name, actions }: { readonly name: string; readonly actions: readonly RowAction[] }) {
  return (
    <Menu position="bottom-end" width={240} {...besideTable}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="var(--mantine-color-text)" aria-label={`Actions for ${name}`}>
          <Icon name="dots" size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Item key={action.label} {...action} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
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
