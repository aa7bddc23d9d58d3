import { Anchor, Code, Group, Pill, Text } from '@mantine/core'
import { CopyButton } from '../parts/copy-button.tsx'
import { When } from '../parts/when.tsx'

export const NoValue = () => (
  <Text component="span" size="sm" c="dimmed" title="No value">
    –
  </Text>
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
    <Anchor
      size="sm"
      className="clamp"
      href={address}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={address}
      dir="auto"
    >
      {address.replace(/^https?:\/\//i, '')}
    </Anchor>
  )
}

export const MailTo = ({ address }: { readonly address: string }) => (
  <Anchor size="sm" className="clamp" href={`mailto:${encodeURIComponent(address)}`} title={address}>
    {address}
  </Anchor>
)

/** What the service notes itself is of interest by its age; what people enter, by the calendar. */
export function Moment({ at, isEntered }: { readonly at: string; readonly isEntered: boolean }) {
  if (Number.isNaN(Date.parse(at))) return <Plain text={at} />
  return (
    <Text size="sm">
      <When at={at} as={isEntered ? 'minute' : 'relative'} />
    </Text>
  )
}

const dayText = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

export function Day({ day }: { readonly day: string }) {
  const time = Date.parse(day)
  return Number.isNaN(time) ? <Plain text={day} /> : <time dateTime={day}>{dayText.format(time)}</time>
}

export function Texts({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return <NoValue />
  return (
    <Group gap={4} wrap="nowrap" className="clamp" title={texts.join(', ')}>
      {texts.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list may have the same text twice.
        <Pill key={at}>{text}</Pill>
      ))}
    </Group>
  )
}
