import { useResources } from '../rows/resources.ts'

/** `['bid', 'event']` → "bids, events", in the words of the form. */
export function useDataText(): (names: readonly string[]) => string {
  const resources = useResources()
  return (names) => names.map((name) => resources.find((one) => one.name === name)?.many ?? name).join(', ')
}
