import { Anchor } from '@mantine/core'
import { useEffect } from 'react'
import type { Member } from '../api-types.ts'
import { useRestoreCompany } from '../company/restore-company.ts'
import { Icon } from '../parts/icons.tsx'
import { showFailure } from '../parts/toasts.tsx'
import { useAnswer, useHere } from '../session.tsx'

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })

/** On every page of a company that is about to be deleted. */
export function EndingBanner() {
  const { company } = useHere()
  if (company.delete_after === null) return null
  return (
    <p className="offline-banner">
      <Icon name="warning" size={16} />
      <span>
        <bdi>{company.name}</bdi> is deleted on {day.format(new Date(company.delete_after))}. Until then, its
        credentials are refused and nothing can be changed. {company.role === 'owner' ? <Undo /> : <WhoCanUndo />}
      </span>
    </p>
  )
}

function Undo() {
  const { isRunning, error, start } = useRestoreCompany()
  useEffect(() => {
    if (error !== null) showFailure('Could not undo it', error)
  }, [error])
  return (
    <Anchor component="button" type="button" c="inherit" fw="inherit" inherit disabled={isRunning} onClick={start}>
      Undo
    </Anchor>
  )
}

function WhoCanUndo() {
  const { data: members } = useAnswer<readonly Member[]>('/members')
  if (members === undefined) return null
  const owners = members.filter(({ role }) => role === 'owner').map(({ name }) => name)
  if (owners.length === 0) return <>It has no owner any more: only the operator of this installation can undo it.</>
  return <>{new Intl.ListFormat('en', { type: 'disjunction' }).format(owners)} can undo it.</>
}
