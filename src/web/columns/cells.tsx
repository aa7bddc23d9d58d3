import { Code, Group, Pill } from '@mantine/core'
import { CopyButton } from '../parts/copy-button.tsx'
import { When } from '../parts/when.tsx'

export const NoValue = () => (
  <span className="no-value" title="No value">
    –
  </span>
)

export const Plain = ({ text }: { readonly text: string }) => (
  <span className="clamp" title={text} dir="auto">
    {text}
  </span>
)

export const Id = ({ id }: { readonly id: string }) => (
  <Group gap={4} wrap="nowrap">
    <Code title={id}>…{id.slice(-8)}</Code>
    <CopyButton label={`Copy the id ${id}`} text={id} iconOnly variant="subtle" />
  </Group>
)

/** A number with all its digits, and separators between thousands: `1234567.50` → `1,234,567.50` */
export function Digits({ text }: { readonly text: string }) {
  const [, whole = '', rest = ''] = /^(-?\d+)(\.\d*)?$/.exec(text) ?? []
  const shown = whole === '' ? text : whole.replace(/\B(?=(\d{3})+$)/g, ',') + rest
  return <span className="no-wrap">{shown}</span>
}

/** Only what the browser itself would open as a page becomes a link. */
export function WebLink({ address }: { readonly address: string }) {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return <Plain text={address} />
  return (
    <a
      className="clamp link"
      href={address}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={address}
      dir="auto"
    >
      {address.replace(/^https?:\/\//i, '')}
    </a>
  )
}

export const MailTo = ({ address }: { readonly address: string }) => (
  <a className="clamp link" href={`mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`} title={address}>
    {address}
  </a>
)

/** What the service notes itself is of interest by its age; what people enter, by the calendar. */
export function Moment({ at, isEntered }: { readonly at: string; readonly isEntered: boolean }) {
  if (Number.isNaN(Date.parse(at))) return <Plain text={at} />
  return <When at={at} as={isEntered ? 'minute' : 'relative'} />
}

const dayText = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

export function Day({ day }: { readonly day: string }) {
  const time = Date.parse(day)
  return Number.isNaN(time) ? <Plain text={day} /> : <time dateTime={day}>{dayText.format(time)}</time>
}

interface TextsProps {
  readonly texts: readonly string[]
  readonly isLine: boolean
}

export function Texts({ texts, isLine }: TextsProps) {
  if (texts.length === 0) return <NoValue />
  if (isLine) return <Plain text={texts.join(', ')} />
  return (
    <Group gap={4}>
      {texts.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list may have the same text twice.
        <Pill key={at}>{text}</Pill>
      ))}
    </Group>
  )
}

export const Json = ({ value, isLine }: { readonly value: unknown; readonly isLine: boolean }) =>
  isLine ? (
    <Plain text={JSON.stringify(value)} />
  ) : (
    <Code block className="wrap">
      {JSON.stringify(value, null, 2)}
    </Code>
  )
