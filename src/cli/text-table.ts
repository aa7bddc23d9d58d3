import { printable } from '../people/printable.ts'

/** Aligned columns with a header. */
export function textTable(names: readonly string[], cells: readonly (readonly string[])[]): string {
  if (cells.length === 0) return 'None.'
  const rows = cells.map((row) => row.map(printable))
  const widths = names.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(names), ...rows.map(line)].join('\n')
}
