import { Menu, Text } from '@mantine/core'
import { roleLabel } from '../company/roles.ts'
import { Icon } from '../parts/icons.tsx'
import { useHere, useNavigate } from '../session.tsx'
import { PersonButton } from './person-button.tsx'
import { signOut } from './sign-out.ts'
import { ThemeItems } from './theme-items.tsx'

/** `isWanted`: somebody has clicked before it was there. */
export function PersonMenu({ isWanted }: { readonly isWanted: boolean }) {
  const { person, company } = useHere()
  const navigate = useNavigate()
  return (
    <Menu position="bottom-end" width={260} defaultOpened={isWanted}>
      <Menu.Target>
        <PersonButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" c="var(--mantine-color-text)" fw={600} truncate>
            {person.email}
          </Text>
          <Text size="xs">
            {roleLabel(company.role)} of <bdi>{company.name}</bdi>
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
