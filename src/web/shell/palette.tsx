import { Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { get, getRows, type RowPage } from '../api.ts'
import type { Credential, Resource, Row } from '../api-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { containing, readable } from '../rows/query.ts'
import { idOf, nameOf, useResources } from '../rows/resources.ts'
import { apiPath, useAnswer, useHere, useNavigate } from '../session.tsx'
import { useNavigationLinks } from './navigation.tsx'

interface Target {
  readonly to: string
  readonly label: string
  /** What kind of thing it is. */
  readonly kind: string
  readonly icon: IconName
}

const eachMax = 5

/** Leads anywhere by a part of a name: pages, credentials and rows. */
export function Palette({ close }: { readonly close: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [search] = useDebouncedValue(text.trim(), 150)
  const navigate = useNavigate()
  const id = useId()
  const targets = useTargets(search)
  const chosen = Math.min(at, targets.length - 1)
  const go = (target: Target | undefined) => {
    if (!target) return
    close()
    navigate(target.to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((chosen + step + targets.length) % Math.max(1, targets.length))
    else if (event.key === 'Enter') go(targets[chosen])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Go to" close={close}>
      <TextInput
        role="combobox"
        aria-label="Page, credential or row"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={targets[chosen] ? `${id}-${chosen}` : undefined}
        placeholder="A part of its name"
        leftSection={<Icon name="search" size={16} />}
        autoComplete="off"
        dir="auto"
        data-autofocus
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label="Found" className="palette">
        {targets.map((target, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field above.
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the chosen one.
          <div
            key={`${target.kind} ${target.to}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className="palette-item"
            onClick={() => go(target)}
          >
            <Icon name={target.icon} size={16} />
            <span className="clamp" dir="auto">
              {target.label}
            </span>
            <Text component="span" size="xs" c="dimmed">
              {target.kind}
            </Text>
          </div>
        ))}
      </div>
      {targets.length === 0 && (
        <Text size="sm" c="dimmed" mt="sm" role="status">
          Nothing has “{search}” in its name.
        </Text>
      )}
    </Dialog>
  )
}

function useTargets(search: string): readonly Target[] {
  const wanted = search.toLowerCase()
  const pages = useNavigationLinks()
    .flat()
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .map((link): Target => ({ ...link, kind: 'Page' }))
  return [...pages, ...useCredentials(wanted), ...useRows(search)]
}

function useCredentials(wanted: string): readonly Target[] {
  const { data } = useAnswer<RowPage<Credential>>('/credentials', { enabled: wanted !== '' }, getRows)
  if (wanted === '') return []
  return (data?.rows ?? [])
    .filter(({ name, state }) => state !== 'revoked' && name.toLowerCase().includes(wanted))
    .slice(0, eachMax)
    .map(({ id, name }) => ({ to: `/credentials/${id}`, label: name, kind: 'Credential', icon: 'credentials' }))
}

function useRows(search: string): readonly Target[] {
  const { company } = useHere()
  const named = useResources().filter(({ naming_column, primary_key }) => naming_column !== primary_key)
  const found = useQueries({
    queries: named.map((resource) => {
      const path = searchPath(resource, search)
      return {
        queryKey: ['company', company.id, path],
        queryFn: () => get<readonly Row[]>(apiPath(company.id, path)),
        enabled: search !== '',
        placeholderData: keepPreviousData,
      }
    }),
  })
  if (search === '') return []
  return named.flatMap((resource, index) =>
    (found[index]?.data ?? []).map((row) => ({
      to: `${resource.path}?open=${idOf(resource, row)}`,
      label: nameOf(resource, row),
      kind: resource.one,
      icon: 'rows' as const,
    })),
  )
}

function searchPath({ name, naming_column, primary_key }: Resource, search: string): string {
  const query = new URLSearchParams({ select: `${naming_column},${primary_key}`, limit: String(eachMax) })
  query.set(naming_column, containing(search))
  query.set('order', naming_column)
  return `/rest/${name}?${readable(query)}`
}
