import { Button, Menu, Text } from '@mantine/core'
import { send } from '../api.ts'
import type { Session } from '../api-types.ts'
import { roleLabel } from '../company/roles.ts'
import { Icon } from '../parts/icons.tsx'
import { pathIn } from '../paths.ts'
import { changeSession, useSetup } from '../queries.ts'
import { linkTo, navigate } from '../router.tsx'
import { useHere } from '../session.tsx'
import { CompanyName } from './company-name.tsx'

/** The company that everything on the screen belongs to, and the way to another one. */
export function CompanyMenu() {
  const { company, companies } = useHere()
  const { data: setup } = useSetup()
  const canMake = setup?.signup === 'open'
  if (companies.length < 2 && !canMake) return <CompanyName />
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          size="sm"
          px="xs"
          className="company-name"
          rightSection={<Icon name="down" size={14} />}
          aria-label={`Company: ${company.name}. Switch company`}
        >
          <span className="ellipsis" dir="auto">
            {company.name}
          </span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Companies</Menu.Label>
        {companies.map(({ id, name, role }) => (
          <Menu.Item
            key={id}
            component="a"
            {...linkTo(pathIn(id, '/'))}
            onClickCapture={() => chooseCompany(id)}
            dir="auto"
            {...(id === company.id ? { 'aria-current': true, rightSection: <Icon name="check" size={16} /> } : {})}
          >
            {name}
            <Text size="xs" c="dimmed" dir="ltr">
              {roleLabel(role)}
            </Text>
          </Menu.Item>
        ))}
        {canMake && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<Icon name="plus" size={16} />} onClick={() => navigate('/new-company')}>
              New company
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The next sign-in begins with it. Where that cannot be kept, the link has led there all the same. */
export function chooseCompany(id: string): void {
  send<Session>('POST', '/api/session/company', { company_id: id }).then(changeSession, () => {})
}
