import { NavLink } from '@mantine/core'
import { Icon, type IconName } from '../parts/icons.tsx'
import { linkTo, usePlace } from '../router.tsx'

const groups: readonly (readonly { readonly to: string; readonly label: string; readonly icon: IconName }[])[] = [
  [
    { to: '/', label: 'Overview', icon: 'overview' },
    { to: '/credentials', label: 'Credentials', icon: 'credentials' },
  ],
  [
    { to: '/projects', label: 'Projects', icon: 'projects' },
    { to: '/bids', label: 'Bids', icon: 'bids' },
  ],
  [
    { to: '/members', label: 'Members', icon: 'members' },
    { to: '/activity', label: 'Activity', icon: 'activity' },
    { to: '/company', label: 'Company', icon: 'company' },
  ],
]

export function Navigation() {
  const { path } = usePlace()
  const isHere = (to: string) => (to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`))
  return (
    <>
      {groups.map((links, at) => (
        <ul key={links[0]?.to} className={at === 0 ? 'nav-group' : 'nav-group nav-group-below'}>
          {links.map(({ to, label, icon }) => (
            <li key={to}>
              <NavLink
                {...linkTo(to)}
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
