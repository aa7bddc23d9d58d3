import { define, type Failures } from './define.ts'

const get = ['GET'] as const

/** Live streams of changes. */
export const live = {
  liveUnsupported: define(400, 'live_unsupported', (what: string) => ({
    message: `A live stream cannot have ${what}`,
    hint: 'Select columns of the resource itself, and filter by them. Read the rest with another request.',
  })).onLive(get, 'embedded rows'),
  liveTimeRelative: define(400, 'live_unsupported', (word: string) => ({
    message: `A live stream cannot compare with "${word}", which is another time at each change`,
    hint: 'Compare with a fixed time, such as 2027-01-31T12:00:00Z.',
  })).onLive(get, 'now'),
  liveFilterLong: define(400, 'live_unsupported', () => ({
    message: 'A live stream cannot have a filter that takes this long to compare with each change',
    hint: 'Send one regular expression at most, shorter values, or fewer conditions. Filter the changes once more when you receive them.',
  })).onLive(get),
  lastEventInvalid: define(400, 'last_event_invalid', () => ({
    message: 'Last-Event-ID is not the number of an event',
    hint: 'Send the last "id" that the stream has sent, or leave the header out to start with the next change.',
  })).onLive(get),
  eventsGone: define(410, 'events_gone', () => ({
    message: 'Events after this Last-Event-ID are no longer kept',
    hint: 'Read the rows again, and open a stream without Last-Event-ID.',
  })).onLive(get),
  eventsOff: define(409, 'events_off', () => ({
    message: 'The company has turned its events off',
    hint: 'An owner can turn them on in the settings of the company.',
  })).onLive(get),
  tooManyStreams: define(429, 'too_many_streams', (most: number) => ({
    message: `The company has ${most} live streams open`,
    hint: 'Close one that is not needed, or share one stream among several readers.',
    headers: { 'Retry-After': '5' },
  })).onLive(get, 200),
} satisfies Failures
