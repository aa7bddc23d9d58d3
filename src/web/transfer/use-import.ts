import { useEffect, useRef, useState } from 'react'
import type { ImportPreview, Resource } from '../api-types.ts'
import { refresh } from '../queries.ts'
import { holdPage } from '../router.tsx'
import { useSend } from '../session.tsx'
import { useTask } from '../use-task.ts'
import { type FilePart, headerOf, partsOf, startOf } from './file-parts.ts'
import { type Checked, checkFile, type Progress, rowsIn, type Written, writeFile } from './run-import.ts'

export const rowsMax = 100_000

/** A file and what the server makes of its start. */
export interface Opened {
  readonly preview: ImportPreview
  readonly parts: readonly FilePart[]
  /** The line of names, as it stands in the file. */
  readonly head: string
}

/** An import from its file to its rows: what is known so far, and what can be done next. */
export function useImport(resource: Resource) {
  const send = useSend()
  const [file, setFile] = useState<File | null>(null)
  const [opened, setOpened] = useState<Opened | null>(null)
  const [columns, setColumns] = useState<readonly (string | null)[]>([])
  const [checked, setChecked] = useState<Checked | null>(null)
  const [written, setWritten] = useState<Written | null>(null)
  const [progress, setProgress] = useState<Progress | null>(null)
  const isCancelled = useRef(false)
  const run = { send, show: setProgress, isCancelled: () => isCancelled.current }
  const { parts = [], preview } = opened ?? {}
  const chosen = { resource: resource.name, parts, delimiter: preview?.delimiter ?? '', columns }

  const open = useTask(async () => {
    if (!file) return
    const text = await readText(file)
    const start = await send<ImportPreview>('POST', `/import/${resource.name}/preview`, { text: startOf(text) })
    const head = text.slice(0, headerOf(text, start.delimiter).end)
    setOpened({ preview: start, parts: requireRows(partsOf(text, start.delimiter)), head })
    setColumns(start.columns)
  })
  const check = useTask(async () => {
    isCancelled.current = false
    await checkFile(chosen, run)
      .then(setChecked)
      .finally(() => setProgress(null))
  })
  const write = useTask(async () => {
    isCancelled.current = false
    setWritten(await writeFile(chosen, checked?.bad ?? [], run))
    setProgress(null)
    await refresh(`/rest/${resource.name}`, '/overview')
  })
  useHeldPage(progress !== null)
  return {
    ...{ file, setFile, opened, columns, setColumns, checked, written, progress, open, check, write },
    cancel: () => {
      isCancelled.current = true
    },
    back: () => setChecked(null),
    startOver: () => {
      setOpened(null)
      setFile(null)
    },
  }
}

export type Import = ReturnType<typeof useImport>

/** What is no text in UTF-8 is a picture, a workbook, or a file whose letters would get lost. */
async function readText(file: File): Promise<string> {
  const text = textIn(await file.arrayBuffer())
  if (text === null || text.includes('\0'))
    throw new Error(`${file.name} is no CSV file in UTF-8. In a spreadsheet, save it as "CSV UTF-8".`)
  return text
}

function textIn(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function requireRows(parts: readonly FilePart[]): readonly FilePart[] {
  const rows = rowsIn(parts)
  if (rows === 0) throw new Error('The file has no rows after the line of names.')
  if (rows > rowsMax) throw new Error(`The file has more than ${rowsMax.toLocaleString('en')} rows. Split it.`)
  return parts
}

/** Whoever leaves the page ends the import, so they are asked. */
function useHeldPage(isHeld: boolean): void {
  useEffect(() => (isHeld ? holdPage(() => {}) : undefined), [isHeld])
}
