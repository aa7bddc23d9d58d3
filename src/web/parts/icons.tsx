const paths = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  credentials: 'M15 7a4 4 0 1 1-3.5 6L4 20H2v-3l7.5-7A4 4 0 0 1 15 7zM16 10h.01',
  requests: 'M4 8h13M13 4l4 4-4 4M20 16H7M11 12l-4 4 4 4',
  project: 'M3 21h18M5 21V7l7-4 7 4v14M9 21v-6h6v6M9 10h.01M15 10h.01',
  bid: 'M14 3v5h5M14 3H6a1 1 0 0 0-1 1v16a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V8zM9 13h6M9 17h4',
  rows: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 10v9',
  fields: 'M4 6h16M4 12h10M4 18h7M18 15v6M15 18h6',
  webhooks: 'M10 8a4 4 0 1 1 5 3.9L18 17M9 15H4a4 4 0 1 0 7 3M12 8l-4 7M20 14a4 4 0 1 1-4 6',
  members: 'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21a7 7 0 0 1 14 0M16 3.5a4 4 0 0 1 0 7M18 14a7 7 0 0 1 4 7',
  activity: 'M3 12h4l3 8 4-16 3 8h4',
  company: 'M4 21V5l8-2v18M12 8l8 2v11M2 21h20M7 8h2M7 12h2M7 16h2M15 14h2M15 18h2',
  account: 'M12 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM3 22a9 9 0 0 1 18 0',
  book: 'M4 5a2 2 0 0 1 2-2h13v18H6a2 2 0 0 1-2-2zM4 17h15M9 7h6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12l5 5L20 7',
  warning: 'M12 3l10 18H2zM12 10v5M12 18h.01',
  info: 'M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20zM12 11v6M12 7h.01',
  search: 'M10.5 18a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM16 16l5 5',
  plus: 'M12 5v14M5 12h14',
  sun: 'M12 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM12 1v2M12 21v2M1 12h2M21 12h2M4.2 4.2l1.4 1.4M18.4 18.4l1.4 1.4M4.2 19.8l1.4-1.4M18.4 5.6l1.4-1.4',
  moon: 'M21 13a9 9 0 1 1-10-10 7 7 0 0 0 10 10z',
  screen: 'M3 4h18v12H3zM8 21h8M12 16v5',
  down: 'M6 9l6 6 6-6',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5',
  edit: 'M4 20h4L20 8l-4-4L4 16z',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6',
  rotate: 'M20 11A8 8 0 0 0 5 7L3 9M3 4v5h5M4 13a8 8 0 0 0 15 4l2-2M21 20v-5h-5',
  dots: 'M5 12h.01M12 12h.01M19 12h.01',
  close: 'M6 6l12 12M18 6L6 18',
  filter: 'M3 5h18l-7 8.5V20l-4-2v-4.5z',
  columns: 'M4 5h16v14H4zM9.5 5v14M14.5 5v14',
  open: 'M9 5H5v14h14v-4M13 5h6v6M19 5l-9 9',
  grip: 'M9 5h.01M15 5h.01M9 12h.01M15 12h.01M9 19h.01M15 19h.01',
  leave: 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9',
} as const

export type IconName = keyof typeof paths

export const hasIcon = (name: string): name is IconName => Object.hasOwn(paths, name)

/** A small picture next to a word: it says nothing that the word does not. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
