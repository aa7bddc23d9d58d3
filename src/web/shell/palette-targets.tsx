import { useMantineColorScheme } from '@mantine/core'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
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

/** What has a text in its name: pages, actions and companies always, the rest once something is typed. */
export function useTargets(search: string): readonly Target[] {
  const wanted = search.toLowerCase()
  const always = [...usePages(), ...useActions(), ...useThemes(), ...useCompanies()]
  return [
    ...always.filter(({ label }) => label.toLowerCase().includes(wanted)),
    ...useCredentials(wanted),
    ...useRows(search),
  ]
}

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

function useCredentials(wanted: string): readonly Target[] {
  const { data } = useAnswer<RowPage<Credential>>('/credentials', { enabled: wanted !== '' }, getRows)
  if (wanted === '') return []
  const found = (data?.rows ?? [])
    .filter(({ name, state }) => state !== 'revoked' && name.toLowerCase().includes(wanted))
    .map(({ id, name }) => ({
      ...{ key: id, to: `/credentials/${id}`, label: name },
      ...{ kind: 'Credential', icon: 'credentials' as const },
    }))
  return firstOf(found, { many: 'credentials', path: '/credentials' }, wanted)
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
  return named.flatMap((resource, index) => {
    const rows = (found[index]?.data ?? []).map((row) => ({
      key: idOf(resource, row),
      to: `${resource.path}?open=${idOf(resource, row)}`,
      label: nameOf(resource, row),
      kind: resource.one,
      icon: 'rows' as const,
    }))
    return firstOf(rows, resource, search)
  })
}

function searchPath({ name, naming_column, primary_key }: Resource, search: string): string {
  const query = new URLSearchParams({ select: `${naming_column},${primary_key}`, limit: String(eachMax + 1) })
  query.set(naming_column, containing(search))
  query.set('order', naming_column)
  return `/rest/${name}?${readable(query)}`
}
