import { useState } from 'react'
import { ApiFailure, getRow, isFailure } from '../api.ts'
import type { Column, Resource, Row } from '../api-types.ts'
import { choiceOf } from '../columns/allowed-values.ts'
import { showFailure } from '../parts/toasts.tsx'
import { refresh } from '../queries.ts'
import { idOf, nameOf } from '../rows/resources.ts'
import { apiPath, useHere, useSend } from '../session.tsx'

/** A card on its way to another lane. */
interface Move {
  readonly row: Row
  /** Null for no value. */
  readonly to: string | null
}

export type Moves = ReadonlyMap<string, Move>

/**
 * Moves cards at once on the screen, and then on the server. A move that is refused is undone, and says why. `shift` is
 * called with the id of a card that goes to another lane, or back.
 */
export function useMoves(resource: Resource, column: Column, shift: (id: string) => void) {
  const [moves, setMoves] = useState<Moves>(new Map())
  const { company } = useHere()
  const send = useSend()

  const forget = (id: string) =>
    setMoves((now) => {
      const left = new Map(now)
      left.delete(id)
      return left
    })

  /** The version makes sure that nobody else has changed the row since it was read. */
  const save = async (row: Row, to: Move['to']) => {
    const path = `/rest/${resource.name}?${resource.primary_key}=eq.${idOf(resource, row)}`
    const found = await getRow<Row>(apiPath(company.id, path))
    if (!found) throw new Error(`This ${resource.one} is not there any more.`)
    if (choiceOf(column, found.row) !== choiceOf(column, row)) throw new Error('Somebody else has moved it meanwhile.')
    await send('PATCH', path, { [column.name]: to }, { 'If-Match': found.version })
  }

  const move = async (row: Row, to: Move['to']) => {
    const id = idOf(resource, row)
    setMoves((now) => new Map(now).set(id, { row, to }))
    shift(id)
    const isSaved = await save(row, to).then(
      () => true,
      (error: unknown) => {
        showFailure(`Could not move ${nameOf(resource, row)}`, withHint(error))
        return false
      },
    )
    await refresh('/rest/')
    forget(id)
    if (!isSaved) shift(id)
  }
  return { moves, move }
}

/** What was refused, and what would be allowed. */
function withHint(error: unknown): unknown {
  if (isFailure(error, 'precondition_failed')) return new Error('Somebody else has changed it meanwhile.')
  return error instanceof ApiFailure && error.hint ? new Error(`${error.message}. ${error.hint}`) : error
}
