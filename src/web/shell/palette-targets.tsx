import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { get, getRows, type RowPage } from '../api.ts'
import type { Credential, Resource, Row } from '../api-types.ts'
import { CreateDialog } from '../credentials/create-dialog.tsx'
import type { IconName } from '../parts/icons.tsx'
import { pathIn } from '../paths.ts'
import { navigate } from '../router.tsx'
import { containing, readable } from '../rows/query.ts'
import { idOf, nameOf, useResources } from '../rows/resources.ts'
import { RowDialog } from '../rows/row-dialog.tsx'
import { apiPath, useAnswer, useHere, useRefusal } from '../session.tsx'
import { chooseCompany } from './company-menu.tsx'
import { useNavigationLinks } from './navigation.tsx'
import { themes } from './theme-items.tsx'

interface Shown {
  readonly key: string
  readonly label: string
  /** What kind of thing it is. */
  readonly kind: string
  readonly icon: IconName
}

/** A page or a row to go to, a dialog to open, or something to do at once. */
export type Target = Shown &
  ({ readonly to: string } | { readonly dialog: (close: () => void) => ReactNode } | { readonly run: () => void })

const eachMax = 5

/** Before the server is asked, whoever types may go on. */
const pauseMs = 150

interface Found {
  readonly targets: readonly Target[]
  /** Whether all of them belong to the text as it is now. */
  readonly isCurrent: boolean
}

interface AllFound extends Found {
  /** How many of the first ones do: what the server is still asked for comes after them. */
  readonly known: number
}

/** What has a text in its name: pages, actions and companies always, the rest once something is typed. */
export function useTargets(text: string): AllFound {
  const all = [...usePages(), ...useActions(), ...useThemes(), ...useCompanies()]
  const always = all.filter(isNamed(text))
  const credentials = useCredentials(text)
  const rows = useRows(text)
  const first = [...always, ...credentials.targets]
  return {
    targets: [...first, ...rows.targets],
    isCurrent: credentials.isCurrent && rows.isCurrent,
    known: credentials.isCurrent ? first.length : always.length,
  }
}

const isNamed =
  (text: string) =>
  ({ label }: Pick<Target, 'label'>): boolean =>
    label.toLowerCase().includes(text.toLowerCase())

const usePages = (): readonly Target[] =>
  useNavigationLinks()
    .flat()
    .map((link) => ({ ...link, key: link.to, kind: 'Page' }))

/** What can be created, by the dialogs of its pages. */
function useActions(): readonly Target[] {
  const resources = useResources().filter(({ read_only }) => !read_only)
  if (useRefusal('developer') !== null) return []
  const look = { kind: 'Action', icon: 'plus' } as const
  return [
    { ...look, key: 'new', label: 'New credential', dialog: (close) => <CreateDialog close={close} /> },
    ...resources.map((resource) => ({
      ...look,
      key: `new ${resource.name}`,
      label: `New ${resource.one}`,
      dialog: (close: () => void) => <RowDialog resource={resource} found={null} close={close} />,
    })),
  ]
}

function useThemes(): readonly Target[] {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return themes
    .filter(({ value }) => value !== colorScheme)
    .map(({ value, label, icon }) => ({ key: value, label, icon, kind: 'Action', run: () => setColorScheme(value) }))
}

function useCompanies(): readonly Target[] {
  const { company, companies } = useHere()
  return companies
    .filter(({ id }) => id !== company.id)
    .map(({ id, name }) => ({
      ...{ key: id, label: name, kind: 'Company', icon: 'company' },
      run: () => {
        chooseCompany(id)
        navigate(pathIn(id, '/'))
      },
    }))
}

/** Nobody has asked for any. */
const nothing: Found = { targets: [], isCurrent: true }

function useCredentials(text: string): Found {
  const { data, isPending } = useAnswer<RowPage<Credential>>('/credentials', { enabled: text !== '' }, getRows)
  if (text === '') return nothing
  const found = (data?.rows ?? [])
    .filter(({ state }) => state !== 'revoked')
    .map(({ id, name }) => ({
      ...{ key: id, to: `/credentials/${id}`, label: name },
      ...{ kind: 'Credential', icon: 'credentials' as const },
    }))
    .filter(isNamed(text))
  return { targets: firstOf(found, { many: 'credentials', path: '/credentials' }, text), isCurrent: !isPending }
}

/** As many as there is room for; where there are more, the way to all of them. */
function firstOf(
  found: readonly Target[],
  { many, path }: Pick<Resource, 'many' | 'path'>,
  search: string,
): readonly Target[] {
  if (found.length <= eachMax) return found
  const to = `${path}?${new URLSearchParams({ q: search })}`
  return [
    ...found.slice(0, eachMax),
    { key: path, to, label: `All ${many} with “${search}”`, kind: 'More', icon: 'search' },
  ]
}

/** Until those of the text are there, those of an earlier one that fit it, too. */
function useRows(text: string): Found {
  const { company } = useHere()
  const [search] = useDebouncedValue(text, pauseMs)
  const named = useResources().filter(({ naming_column, primary_key }) => naming_column !== primary_key)
  const read = (resource: Resource) => get<readonly Row[]>(apiPath(company.id, searchPath(resource, search)))
  const { data, isPending, isPlaceholderData } = useQuery({
    queryKey: ['company', company.id, '/rest/', search],
    queryFn: () => Promise.all(named.map(read)),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })
  if (text === '') return nothing
  const isCurrent = search === text && !isPending && !isPlaceholderData
  const targets = named.flatMap((resource, index) => {
    const rows = (data?.[index] ?? []).map((row) => ({
      key: idOf(resource, row),
      to: `${resource.path}?open=${idOf(resource, row)}`,
      label: nameOf(resource, row),
      kind: resource.one,
      icon: 'rows' as const,
    }))
    return firstOf(isCurrent ? rows : rows.filter(isNamed(text)), resource, text)
  })
  return { targets, isCurrent }
}

function searchPath({ name, naming_column, primary_key }: Resource, search: string): string {
  const query = new URLSearchParams({ select: `${naming_column},${primary_key}`, limit: String(eachMax + 1) })
  query.set(naming_column, containing(search))
  query.set('order', naming_column)
  return `/rest/${name}?${readable(query)}`
}
