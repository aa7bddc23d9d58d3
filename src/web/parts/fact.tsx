import type { ReactNode } from 'react'

interface FactProps {
  readonly name: string
  readonly children: ReactNode
}

/** One line of a `<dl className="facts">`. */
export function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
