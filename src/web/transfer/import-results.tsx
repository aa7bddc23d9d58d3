import { Alert, Button, Group } from '@mantine/core'
import type { Resource } from '../api-types.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Icon } from '../parts/icons.tsx'
import { BadRows } from './bad-rows.tsx'
import type { FilePart } from './file-parts.ts'
import { type Checked, rowsIn, type Written } from './run-import.ts'
import { useFile } from './use-file.ts'

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
  /** The line of names, as it stands in the file. */
  readonly head: string
}

/** What was written, and why not all of it. */
export function WrittenFile({ written: end, resource, header, head }: WrittenFileProps) {
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
      {end.rest.length > 0 && <Rest head={head} rest={[...end.skipped, ...end.rest]} />}
    </>
  )
}

function whyEnded({ written, skipped, bad, isCancelled, rest: [next] }: Written): string {
  const why = isCancelled
    ? 'You cancelled it.'
    : bad.length > 0
      ? 'Rows that were good at first cannot be written any more.'
      : ''
  const upTo = ((next?.first ?? 1) - 1).toLocaleString('en')
  const left = rowsIn(skipped)
  const without = left === 0 ? '' : ` without ${left.toLocaleString('en')} bad ${left === 1 ? 'row' : 'rows'}`
  const what =
    written === 0 ? 'Nothing was written.' : `It was written up to row ${upTo} of the file${without}, and that stays.`
  return `${why} ${what}`.trim()
}

/** What was not written, as a file to begin with next time. */
function Rest({ head, rest }: { readonly head: string; readonly rest: readonly FilePart[] }) {
  const href = useFile(head + rest.map(({ text }) => text).join(''))
  return (
    <Group justify="flex-end">
      <Button component="a" variant="default" href={href} download="not-imported.csv">
        Download the {rowsIn(rest).toLocaleString('en')} rows that were not imported
      </Button>
    </Group>
  )
}
