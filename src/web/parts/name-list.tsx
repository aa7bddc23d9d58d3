import type { ReactNode } from 'react'

interface NameListProps {
  readonly label: string
  readonly names: readonly ReactNode[]
}

/** The names of many, which scroll where there is no room for all. */
export function NameList({ label, names }: NameListProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="quiet-box name-list" tabIndex={0} aria-label={label}>
      <ul>
        {names.map((name, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may have one name, and the list stays as it is.
          <li key={at} dir="auto">
            {name}
          </li>
        ))}
      </ul>
    </section>
  )
}
