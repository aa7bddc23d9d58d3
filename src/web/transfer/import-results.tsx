import { Alert } from '@mantine/core'
import type { Resource } from '../api-types.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Icon } from '../parts/icons.tsx'
import { BadRows } from './bad-rows.tsx'
import type { Checked, Written } from './run-import.ts'

interface CheckedFileProps {
  readonly checked: Checked
  readonly header: readonly string[]
}

/** What the check of all rows has found. */
export function CheckedFile({ checked: { rows, bad, isCancelled }, header }: CheckedFileProps) {
  const [all, worse] = [rows.toLocaleString('en'), bad.length.toLocaleString('en')]
  if (isCancelled)
    return (
      <Alert color="orange" icon={<Icon name="warning" />} title="The check was cancelled">
        Nothing was written.
      </Alert>
    )
  if (bad.length === 0)
    return (
      <Alert color="green" icon={<Icon name="check" />} title={`All ${all} rows are good`}>
        Nothing is written yet.
      </Alert>
    )
  const good = rows - bad.length
  return (
    <>
      <Alert color="orange" icon={<Icon name="warning" />} title={`${worse} of ${all} rows are bad`}>
        {good === 0
          ? 'Nothing can be imported.'
          : `Nothing is written yet. The other ${good.toLocaleString('en')} rows can be imported without them.`}
      </Alert>
      <BadRows header={header} bad={bad} />
    </>
  )
}

interface WrittenFileProps {
  readonly written: Written
  readonly resource: Resource
  readonly header: readonly string[]
}

/** What was written, and why not all of it. */
export function WrittenFile({ written: end, resource, header }: WrittenFileProps) {
  const { written, bad, isCancelled, error } = end
  const count = `${written.toLocaleString('en')} ${written === 1 ? resource.one : resource.many}`
  const isWhole = bad.length === 0 && !isCancelled && error === null
  return (
    <>
      <Alert
        color={isWhole ? 'green' : 'orange'}
        icon={<Icon name={isWhole ? 'check' : 'warning'} />}
        title={isWhole ? `${count} imported` : `${count} imported, then it ended`}
      >
        {isWhole ? 'They are in the list now.' : whyEnded(end)}
      </Alert>
      {error !== null && <FailureNotice error={error} title="The rest could not be written" />}
      {bad.length > 0 && <BadRows header={header} bad={bad} />}
    </>
  )
}

function whyEnded({ bad, isCancelled }: Written): string {
  if (isCancelled) return 'You cancelled it. What was written stays.'
  return bad.length > 0
    ? 'Rows that were good at first cannot be written any more. What was written before stays.'
    : 'What was written before stays.'
}
