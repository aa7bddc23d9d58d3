import { Button, Menu, Text, VisuallyHidden } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { send } from '../api.ts'
import { Icon } from '../parts/icons.tsx'
import { changeSession } from '../queries.ts'
import { navigate } from '../router.tsx'
import { useHere } from '../session.tsx'
import { ThemeItems } from './theme-items.tsx'

export function PersonMenu() {
  const { person, company } = useHere()
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          px="xs"
          fw={500}
          rightSection={<Icon name="down" size={14} />}
        >
          <span className="initials" aria-hidden="true">
            {initialsOf(person.name)}
          </span>
          <span className="person-name">{person.name}</span>
          <VisuallyHidden>: account and theme</VisuallyHidden>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" c="var(--mantine-color-text)" fw={600} truncate>
            {person.email}
          </Text>
          <Text size="xs">
            {company.role} of {company.name}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="account" size={16} />} onClick={() => navigate('/account')}>
          Account
        </Menu.Item>
        <Menu.Divider />
        <ThemeItems />
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="leave" size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** `Ada King Lovelace` → AL */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

async function signOut(): Promise<void> {
  try {
    await send('POST', '/api/auth/sign-out', {})
  } catch (error) {
    notifications.show({ color: 'red', title: 'Could not sign out', message: String(error) })
    return
  }
  changeSession(null)
  navigate('/sign-in', 'replace')
}
