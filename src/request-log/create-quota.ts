/** Whose request it is. */
export interface Owner {
  readonly companyId: string
  readonly credentialId: string
}

/** Requests that are not kept, and the last kept one of the same credential, minute and kind. */
export interface LeftOut {
  readonly companyId: string
  /** The id of that request. */
  readonly id: string
  readonly requests: number
}

/** Decides which requests are kept: per credential and minute the first successes and the first failures. */
export interface Quota {
  /** Whether to keep a request. Others are counted. */
  take(owner: Owner, isOk: boolean, id: string): boolean
  /** What was left out in minutes that are over, or until now. Each is told once. */
  takeLeftOut(untilNow: boolean): readonly LeftOut[]
  /** Whether something was taken since minutes were last ended. */
  isCounting(): boolean
  /** The time until the minute is over. */
  endsInMs(): number
}

const minuteMs = 60_000
const okMax = 60
const failedMax = 300
/** Of all credentials of a company together, so that a company with many cannot keep the database busy. */
const companyMax = 3000
/** Of credentials in one minute. The requests of further ones are not kept. */
const credentialsMax = 20_000

/** The requests of a credential in one minute, of one kind. */
interface Kind {
  kept: number
  lastId: string
  leftOut: number
}

interface Minute {
  readonly minute: number
  readonly companyId: string
  readonly ok: Kind
  readonly failed: Kind
}

export function createQuota(now = Date.now): Quota {
  const minutes = new Map<string, Minute>()
  let companies = new Map<string, number>()
  let companiesMinute = 0
  let found: LeftOut[] = []

  function take({ companyId, credentialId }: Owner, isOk: boolean, id: string): boolean {
    const minute = Math.floor(now() / minuteMs)
    let counted = minutes.get(credentialId)
    if (counted === undefined || counted.minute !== minute) {
      if (counted === undefined && minutes.size >= credentialsMax) return false
      if (counted !== undefined) end(counted)
      counted = { minute, companyId, ok: noneYet(), failed: noneYet() }
      minutes.set(credentialId, counted)
    }
    const kind = isOk ? counted.ok : counted.failed
    if (kind.kept >= (isOk ? okMax : failedMax) || !takeOfCompany(companyId, minute)) {
      kind.leftOut += 1
      return false
    }
    kind.kept += 1
    kind.lastId = id
    return true
  }

  function takeOfCompany(companyId: string, minute: number): boolean {
    if (companiesMinute !== minute) {
      companies = new Map()
      companiesMinute = minute
    }
    const kept = companies.get(companyId) ?? 0
    companies.set(companyId, kept + 1)
    return kept < companyMax
  }

  function end({ companyId, ok, failed }: Minute): void {
    for (const { lastId: id, leftOut: requests } of [ok, failed])
      if (requests > 0 && id !== '') found.push({ companyId, id, requests })
  }

  function takeLeftOut(untilNow: boolean): readonly LeftOut[] {
    const minute = Math.floor(now() / minuteMs)
    for (const [credentialId, counted] of minutes) {
      if (!untilNow && counted.minute === minute) continue
      end(counted)
      minutes.delete(credentialId)
    }
    const told = found
    found = []
    return told
  }

  return {
    take,
    takeLeftOut,
    isCounting: () => minutes.size > 0,
    endsInMs: () => minuteMs - (now() % minuteMs),
  }
}

const noneYet = (): Kind => ({ kept: 0, lastId: '', leftOut: 0 })
