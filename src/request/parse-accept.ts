import { failure } from '../errors/index.ts'

export interface Representation {
  /** `sheet` is CSV as spreadsheets write it. */
  readonly shape: 'array' | 'object' | 'csv' | 'sheet' | 'ndjson'
  readonly nullsStripped: boolean
  readonly contentType: string
  /** Changes as they happen, in place of the rows as they are. */
  readonly isLive?: true
}

const json: Representation = { shape: 'array', nullsStripped: false, contentType: 'application/json' }
const live: Representation = { ...json, contentType: 'text/event-stream', isLive: true }
const shapes: Readonly<Record<string, Representation['shape']>> = {
  'application/json': 'array',
  'application/vnd.pgrst.array+json': 'array',
  'application/vnd.pgrst.array': 'array',
  'application/vnd.pgrst.object+json': 'object',
  'application/vnd.pgrst.object': 'object',
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
}

/** What the rows themselves can be asked for as. */
export const rowTypes = Object.keys(shapes).join(', ')

/** Browsers send about ten. What comes behind them is ignored. */
export const rangesMax = 50
const parametersMax = 10

/** `text/csv;q=0.5, application/json` → the most wanted of what there is. */
export function parseAccept(header: string | null): Representation {
  if (header === null || header === '*/*' || header === 'application/json') return json
  const wanted = header
    .split(',', rangesMax)
    .map(parseMediaRange)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const range of wanted) {
    const representation = representationOf(range)
    if (representation) return representation
  }
  throw failure.mediaTypeUnavailable(header, rowTypes)
}

interface MediaRange {
  readonly type: string
  readonly nullsStripped: boolean
  readonly isSheet: boolean
  readonly quality: number
}

function parseMediaRange(text: string): MediaRange {
  const [type = '', ...parameters] = text
    .toLowerCase()
    .split(';', parametersMax)
    .map((part) => part.trim())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return {
    type,
    nullsStripped: parameters.includes('nulls=stripped'),
    isSheet: parameters.includes('rfc=4180'),
    quality: quality === undefined ? 1 : Number(quality) || 0,
  }
}

function representationOf({ type, nullsStripped, isSheet }: MediaRange): Representation | null {
  if (type === '*/*' || type === 'application/*') return json
  if (type === live.contentType) return live
  const shape = type === 'text/*' ? 'csv' : Object.hasOwn(shapes, type) ? shapes[type] : undefined
  if (shape === undefined) return null
  if (shape === 'csv') return { shape: isSheet ? 'sheet' : 'csv', nullsStripped: false, contentType: 'text/csv' }
  const stripped = nullsStripped && type.startsWith('application/vnd.pgrst.')
  if (shape === 'array' && !stripped) return json
  const named = shape === 'ndjson' ? type : `application/vnd.pgrst.${shape}+json`
  return { shape, nullsStripped: stripped, contentType: stripped ? `${named};nulls=stripped` : named }
}
