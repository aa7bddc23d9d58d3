import { failure } from '../errors/index.ts'
import type { Level } from '../request/level.ts'
import { pathSeparator } from '../request/parse-query.ts'
import { wholeRange } from '../request/parse-range.ts'
import type { SelectEmbed, SelectItem } from '../request/parse-select.ts'

/**
 * Filters, orders and limits by the keys of the embeds that they are for. One under the name of a renamed resource is found,
 * too, and counts together with one under its new name.
 */
export function resolveLevels(
  levels: ReadonlyMap<string, Level>,
  select: readonly SelectItem[],
): ReadonlyMap<string, Level> {
  const resolved = new Map<string, Level>()
  for (const [path, level] of levels) {
    const key = path === '' ? '' : resolvePath(path.split(pathSeparator), select)
    const known = resolved.get(key)
    resolved.set(key, known ? together(known, level) : level)
  }
  return resolved
}

const together = (one: Level, other: Level): Level => ({
  conditions: [...one.conditions, ...other.conditions],
  order: [...one.order, ...other.order],
  range: other.range === wholeRange ? one.range : other.range,
})

function resolvePath([name = '', ...rest]: readonly string[], select: readonly SelectItem[]): string {
  const embeds = select.filter((item) => item.kind === 'embed')
  const embed = embeds.find((one) => keyOf(one) === name) ?? embeds.find((one) => one.name === name)
  if (!embed) throw failure.notEmbedded(name)
  const key = keyOf(embed)
  return rest.length === 0 ? key : key + pathSeparator + resolvePath(rest, embed.select)
}

const keyOf = ({ alias, name }: SelectEmbed): string => alias ?? name
