/** The casts of a moment that depend on the time zone. */
export type ZonedCast = 'timestamp' | 'date' | 'time' | 'timetz' | 'text'

const spelling = /^(?<date>.{10})T(?<time>[\d:.]+)(?<offset>[+-][\d:]+)(?<era> BC)?$/

/** `2026-01-11T00:30:00.25+01:00`, as a clock in the zone shows it → the same in the form of PostgreSQL's cast. */
export function zonedCast(to: ZonedCast, shown: string): string | null {
  const { date = '', time = '', offset = '', era = '' } = spelling.exec(shown)?.groups ?? {}
  // `infinity` has no time of day.
  if (date === '') return to === 'time' || to === 'timetz' ? null : shown
  switch (to) {
    case 'timestamp':
      return `${date}T${time}${era}`
    case 'date':
      return date + era
    case 'time':
      return time
    case 'timetz':
      return time + offset.replace(/:00$/, '')
    case 'text':
      return `${date} ${time}${offset.replace(/:00$/, '')}${era}`
  }
}

/** For PostgreSQL, `@` is the offset of the moment in seconds. */
const local = "(($ at time zone 'UTC') + make_interval(secs => @))"
/** As PostgreSQL writes it: `+01`, `-03:30`. In a pattern, a dollar would stand for the value. */
const offset = `regexp_replace(regexp_replace(make_interval(secs => @)::text, '^(\\d)', '+\\1'), '(:00){1,2}\\Z', '')`

/** The plain casts would take the time zone of the session. */
export const postgresZonedCasts: Readonly<Record<ZonedCast, string>> = {
  timestamp: local,
  date: `${local}::date`,
  time: `${local}::time`,
  timetz: `(${local}::time::text || ${offset})`,
  text: `case when isfinite($) then ${local}::text || ${offset} else $::text end`,
}

/** For SQLite, `@` is the name of the zone. The function is one of sqlite-functions.ts. */
export const sqliteZonedCasts: Readonly<Record<ZonedCast, string>> = {
  timestamp: "zoned_cast('timestamp', $, @)",
  date: "zoned_cast('date', $, @)",
  time: "zoned_cast('time', $, @)",
  timetz: "zoned_cast('timetz', $, @)",
  text: "zoned_cast('text', $, @)",
}
