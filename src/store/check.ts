/** The result of one check of an installation. With a problem, a promise does not hold; a warning should be considered. */
export interface Finding {
  readonly state: 'ok' | 'warning' | 'problem'
  readonly found: string
  /** What to do about it. */
  readonly mend: string | null
}

export interface Check<Facts> {
  readonly name: string
  judge(facts: Facts): Finding
}

export interface NamedFinding extends Finding {
  readonly name: string
}

export const ok = (found: string): Finding => ({ state: 'ok', found, mend: null })
export const warning = (found: string, mend: string): Finding => ({ state: 'warning', found, mend })
export const problem = (found: string, mend: string): Finding => ({ state: 'problem', found, mend })

export function judgeAll<Facts>(checks: readonly Check<Facts>[], facts: Facts): NamedFinding[] {
  return checks.map(({ name, judge }) => ({ name, ...judge(facts) }))
}

/** The same on both engines. */
export function judgeSchema({ done, known }: { readonly done: number; readonly known: number }): Finding {
  if (done > known) {
    return problem(
      `at step ${done}, and this version of the program knows ${known}`,
      'Run the version that the database was last used with, or a newer one',
    )
  }
  return done < known ? warning(`at step ${done} of ${known}`, 'The next start brings it up to date') : ok(`up to date`)
}

export const isLoopback = (host: string): boolean => /^(localhost|127\.[\d.]+|\[?::1\]?|)$/i.test(host)
