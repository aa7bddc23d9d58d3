/** The caller's span, in a trace that started elsewhere. */
export interface RemoteParent {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

/** `00-4bf9…4736-00f0…02b7-01` → its parts; null if it is not valid by W3C Trace Context. */
export function parseTraceparent(header: string | null): RemoteParent | null {
  const [, version, traceId = '', spanId = '', flags = '', rest] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header?.trim() ?? '') ?? []
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
