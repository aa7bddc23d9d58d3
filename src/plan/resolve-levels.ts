import { failure } from '../errors.ts'
import type { Level } from '../request/parse-query.ts'
import type { SelectEmbed, SelectItem } from '../request/parse-select.ts'

/** Filters, orders and limits by the keys of the embeds that they are for. One under the name of a renamed resource is found, too. */
export function resolveLevels(
  levels: ReadonlyMap<string, Level>,
  select: readonly SelectItem[],
): ReadonlyMap<string, Level> {
  return new Map([...levels].map(([path, level]) => [path === '' ? '' : resolvePath(path.split('.'), select), level]))
}

function resolvePath([name = '', ...rest]: readonly string[], select: readonly SelectItem[]): string {
  const embeds = select.filter((item) => item.kind === 'embed')
  const embed = embeds.find((one) => keyOf(one) === name) ?? embeds.find((one) => one.name === name)
  if (!embed) throw failure.notEmbedded(name)
  const key = keyOf(embed)
  return rest.length === 0 ? key : `${key}.${resolvePath(rest, embed.select)}`
}

const keyOf = ({ alias, name }: SelectEmbed): string => alias ?? name
