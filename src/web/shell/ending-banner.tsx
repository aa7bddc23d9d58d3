import { Anchor } from '@mantine/core'
import { Icon } from '../parts/icons.tsx'
import { useHere, useLink } from '../session.tsx'

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })

/** On every page of a company that is about to be deleted. */
export function EndingBanner() {
  const { company } = useHere()
  const link = useLink()
  if (company.delete_after === null) return null
  return (
    <p className="offline-banner">
      <Icon name="warning" size={16} /> <bdi>{company.name}</bdi> is deleted on{' '}
      {day.format(new Date(company.delete_after))}. Until then, its credentials are refused and nothing can be changed.{' '}
      <Anchor c="inherit" {...link('/company')}>
        {company.role === 'owner' ? 'Undo' : 'Details'}
      </Anchor>
    </p>
  )
}
