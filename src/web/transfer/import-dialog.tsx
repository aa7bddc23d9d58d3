import { Button, FileInput, Group, Progress as ProgressBar, Stack, Text } from '@mantine/core'
import type { Resource } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { ColumnMatching } from './column-matching.tsx'
import { CheckedFile, WrittenFile } from './import-results.tsx'
import { missingOf } from './missing-columns.ts'
import { rowsIn } from './run-import.ts'
import { type Import, type Opened, rowsMax, useImport } from './use-import.ts'

interface ImportDialogProps {
  readonly resource: Resource
  readonly close: () => void
}

/** From a file to rows: choose, match the columns, check all rows, and only then write. */
export function ImportDialog({ resource, close }: ImportDialogProps) {
  const work = useImport(resource)
  const error = work.open.error ?? work.check.error ?? work.write.error
  return (
    <Dialog title={`Import ${resource.many}`} close={work.progress === null ? close : null} size="xl">
      <Stack>
        {error !== null && <FailureNotice error={error} />}
        <Step resource={resource} work={work} close={close} />
      </Stack>
    </Dialog>
  )
}

interface StepProps extends ImportDialogProps {
  readonly work: Import
}

/** What can be done now. */
function Step({ resource, work, close }: StepProps) {
  const { opened, checked, written, progress } = work
  const header = opened?.preview.header ?? []
  if (progress) return <Working work={work} />
  if (written)
    return (
      <>
        <WrittenFile written={written} resource={resource} header={header} head={opened?.head ?? ''} />
        <Group justify="flex-end" className="dialog-foot">
          <Button onClick={close}>Done</Button>
        </Group>
      </>
    )
  if (checked) {
    const good = checked.rows - checked.bad.length
    return (
      <>
        <CheckedFile checked={checked} header={header} />
        <Group justify="flex-end" className="dialog-foot">
          <Button variant="default" onClick={work.back}>
            Back
          </Button>
          {!checked.isCancelled && good > 0 && (
            <Button loading={work.write.isRunning} onClick={work.write.start}>
              Import {good.toLocaleString('en')} {resource.many}
            </Button>
          )}
        </Group>
      </>
    )
  }
  return opened ? <Matching work={work} opened={opened} /> : <Choosing resource={resource} work={work} />
}

function Choosing({ resource, work }: Pick<StepProps, 'resource' | 'work'>) {
  return (
    <>
      <Text size="sm">
        A CSV file with a line of names, then one line for each {resource.one}: up to {rowsMax.toLocaleString('en')}.
        All are checked before any is written.
      </Text>
      <FileInput
        label="CSV file"
        placeholder="Choose a file"
        accept=".csv,text/csv,text/plain"
        value={work.file}
        onChange={work.setFile}
      />
      <Group justify="flex-end" className="dialog-foot">
        <Button disabled={!work.file} loading={work.open.isRunning} onClick={work.open.start}>
          Continue
        </Button>
      </Group>
    </>
  )
}

interface MatchingProps {
  readonly work: Import
  readonly opened: Opened
}

function Matching({ work, opened: { preview, parts } }: MatchingProps) {
  return (
    <>
      <ColumnMatching opened={preview} columns={work.columns} change={work.setColumns} />
      <Group justify="flex-end" className="dialog-foot">
        <Button variant="default" onClick={work.startOver}>
          Another file
        </Button>
        <Button
          disabled={missingOf(preview, work.columns).length > 0}
          loading={work.check.isRunning}
          onClick={work.check.start}
        >
          Check {rowsIn(parts).toLocaleString('en')} rows
        </Button>
      </Group>
    </>
  )
}

function Working({ work: { progress, checked, cancel } }: Pick<StepProps, 'work'>) {
  const { done = 0, total = 0 } = progress ?? {}
  const doing = checked ? 'Written' : 'Checked'
  return (
    <Stack gap="xs">
      <ProgressBar value={total === 0 ? 100 : (done / total) * 100} aria-label={`${doing} rows`} />
      <Group justify="space-between">
        <Text size="sm" role="status">
          {doing} {done.toLocaleString('en')} of {total.toLocaleString('en')} rows
        </Text>
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
