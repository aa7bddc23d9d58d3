import { type Anchor, isAnchor, partsIn, splitPattern } from './pattern-parts.ts'

/** How large the machine is that an engine builds for a regular expression, once all repetitions are written out. */
export interface PatternSize {
  /** Characters, groups and repetitions. */
  readonly parts: number
  /** Ways to go on from one character to the next. Engines work this out for every pair of them. */
  readonly steps: number
  /** `^`, `$`, `\y` and the like that can come one after another. With each of them, PostgreSQL takes up to twice as long. */
  readonly anchors: number
}

/** `(?:ab?){3}` → 3 times what `ab?` has, without building any of it. It takes what `parsePattern` makes. */
export function sizeOfPattern(pattern: string, ignoreCase: boolean): PatternSize {
  const { body, ignoreCase: wantsCaseIgnored } = splitPattern(pattern)
  const tokens = [...body.matchAll(partsIn)].map(({ groups = {} }) => groups)
  const kinds = new Set(tokens.flatMap(({ atom = [] }) => atom).filter((atom) => !isAnchor(atom))).size
  const outer: Frame[] = []
  let frame: Frame = { either: null, before: nothing, last: null }
  for (const { open, close, bar, repeat, least, more, most, atom, bracket } of tokens) {
    if (open !== undefined) {
      outer.push(frame)
      frame = { either: null, before: nothing, last: null }
    } else if (close !== undefined) {
      const group = withGroup(wholeOf(frame))
      frame = append(outer.pop() ?? frame, group)
    } else if (bar !== undefined) {
      frame = { either: wholeOf(frame), before: nothing, last: null }
    } else if (repeat !== undefined) {
      const [from, to] = boundsOf(repeat, least, more, most)
      frame = { ...frame, last: frame.last && repeated(frame.last, from, to) }
    } else if (atom !== undefined) {
      // A set of characters is taken apart by every other character and set of the pattern.
      const isSet = bracket !== undefined || atom === '.'
      frame = append(frame, isAnchor(atom) ? anchorOf(atom) : character(isSet ? kinds : 1))
    }
  }
  const { parts, steps, first, anchors } = wholeOf(frame)
  const folding = (wantsCaseIgnored ?? ignoreCase) ? foldingSteps(tokens.map(({ bracket = '' }) => bracket)) : 0
  const weight = weightOf(new Set(tokens.map(({ atom }) => atom)))
  return { parts: parts * weight.parts, steps: (steps + first + folding) * weight.steps, anchors }
}

/** The ends of words take as much again for everything else: RE2 reads three signs for one, and PostgreSQL looks at what is on both sides. */
function weightOf(atoms: ReadonlySet<string | undefined>): { readonly parts: number; readonly steps: number } {
  const [hasEnd, hasEither] = [atoms.has('\\m') || atoms.has('\\M'), atoms.has('\\y') || atoms.has('\\Y')]
  return { parts: hasEnd ? 3 : 1, steps: hasEither ? 4 : hasEnd ? 2 : 1 }
}

/** What is known of a part of a pattern: its size, and how many of its characters can come first and last. */
interface Part extends PatternSize {
  readonly first: number
  readonly last: number
  readonly mayBeEmpty: boolean
}

/** A group that is not closed yet: the alternatives before, what comes before the last part, and the last part. */
interface Frame {
  readonly either: Part | null
  readonly before: Part
  readonly last: Part | null
}

const nothing: Part = { parts: 0, steps: 0, first: 0, last: 0, mayBeEmpty: true, anchors: 0 }

const character = (first: number): Part => ({ parts: 1, steps: 0, first, last: 1, mayBeEmpty: false, anchors: 0 })
const anchorOf = (anchor: Anchor): Part => ({
  ...character(1),
  anchors: anchor === '\\y' || anchor === '\\Y' ? 2 : 1,
})

const append = ({ either, before, last }: Frame, next: Part): Frame => ({
  either,
  before: last ? followedBy(before, last) : before,
  last: next,
})

function wholeOf({ either, before, last }: Frame): Part {
  const sequence = last ? followedBy(before, last) : before
  return either ? oneOf(either, sequence) : sequence
}

const followedBy = (a: Part, b: Part): Part => ({
  parts: a.parts + b.parts,
  steps: a.steps + b.steps + a.last * b.first,
  first: a.first + (a.mayBeEmpty ? b.first : 0),
  last: b.last + (b.mayBeEmpty ? a.last : 0),
  mayBeEmpty: a.mayBeEmpty && b.mayBeEmpty,
  anchors: a.anchors + b.anchors,
})

const oneOf = (a: Part, b: Part): Part => ({
  parts: a.parts + b.parts + 1,
  steps: a.steps + b.steps,
  first: a.first + b.first,
  last: a.last + b.last,
  mayBeEmpty: a.mayBeEmpty || b.mayBeEmpty,
  anchors: Math.max(a.anchors, b.anchors),
})

const withGroup = (part: Part): Part => ({ ...part, parts: part.parts + 2 })
const optional = (part: Part): Part => ({ ...part, parts: part.parts + 1, mayBeEmpty: true })
const looped = (part: Part): Part => ({
  ...part,
  parts: part.parts + 1,
  steps: part.steps + part.last * part.first,
  anchors: part.anchors * 2,
})

/** `{2,4}` is `xx(x(x)?)?`. */
function repeated(part: Part, least: number, most: number): Part {
  let rest = most === Number.POSITIVE_INFINITY ? optional(looped(part)) : nothing
  for (let at = least; at < most && Number.isFinite(most); at += 1) rest = optional(followedBy(part, rest))
  for (let at = 0; at < least; at += 1) rest = followedBy(part, rest)
  return rest
}

function boundsOf(sign: string, least = '', more?: string, most = ''): readonly [number, number] {
  if (sign === '*') return [0, Number.POSITIVE_INFINITY]
  if (sign === '+') return [1, Number.POSITIVE_INFINITY]
  if (sign === '?') return [0, 1]
  return [Number(least), more === undefined ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most)]
}

/** To ignore case, PostgreSQL looks at every character between the ends of `[a-z]`: about so many in the time of a step. */
const charactersPerStep = 64

function foldingSteps(brackets: readonly string[]): number {
  let characters = 0
  for (const bracket of brackets) {
    for (const [, from = '', to = ''] of bracket.matchAll(/\\?([\s\S])-\\?([^\]])/gu)) {
      characters += Math.max(0, (to.codePointAt(0) ?? 0) - (from.codePointAt(0) ?? 0))
    }
  }
  return Math.ceil(characters / charactersPerStep)
}
