import { NavLink } from '@mantine/core'
import type { Resource } from '../api-types.ts'
import { hasIcon, Icon, type IconName } from '../parts/icons.tsx'
import { usePlace } from '../router.tsx'
import { useResources } from '../rows/resources.ts'
import { capitalized } from '../rows/words.ts'
import { useLink } from '../session.tsx'

interface Link {
  readonly to: string
  readonly label: string
  readonly icon: IconName
}

const first: readonly Link[] = [
  { to: '/', label: 'Overview', icon: 'overview' },
  { to: '/credentials', label: 'Credentials', icon: 'credentials' },
  { to: '/requests', label: 'Requests', icon: 'requests' },
  { to: '/webhooks', label: 'Webhooks', icon: 'webhooks' },
]

const last: readonly Link[] = [
  { to: '/fields', label: 'Fields', icon: 'fields' },
  { to: '/members', label: 'Members', icon: 'members' },
  { to: '/activity', label: 'Activity', icon: 'activity' },
  { to: '/company', label: 'Company', icon: 'company' },
]

const linkOf = ({ path, many, name }: Resource): Link => ({
  to: path,
  label: capitalized(many),
  icon: hasIcon(name) ? name : 'rows',
})

/** Where one can go, in groups. */
export const useNavigationLinks = (): readonly (readonly Link[])[] =>
  [first, useResources().map(linkOf), last].filter((links) => links.length > 0)

export function Navigation() {
  const { path } = usePlace()
  const link = useLink()
  const groups = useNavigationLinks()
  const isHere = (to: string) => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`))
  return (
    <>
      {groups.map((links, at) => (
        <ul key={links[0]?.to} className={at === 0 ? 'nav-group' : 'nav-group nav-group-below'}>
          {links.map(({ to, label, icon }) => (
            <li key={to}>
              <NavLink
                {...link(to)}
                label={label}
                leftSection={<Icon name={icon} />}
                active={isHere(to)}
                {...(isHere(to) ? { 'aria-current': 'page' as const } : {})}
              />
            </li>
          ))}
        </ul>
      ))}
      <ul className="nav-group nav-group-below">
        <li>
          <NavLink href="/docs" label="API reference" leftSection={<Icon name="book" />} />
        </li>
      </ul>
    </>
  )
}
