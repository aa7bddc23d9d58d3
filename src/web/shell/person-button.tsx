import { Button, type ButtonProps, VisuallyHidden } from '@mantine/core'
import { Icon } from '../parts/icons.tsx'
import { useHere } from '../session.tsx'

interface PersonButtonProps extends ButtonProps {
  readonly onClick?: () => void
}

/** Who is signed in. A menu gives it the rest of its properties. */
export function PersonButton(props: PersonButtonProps) {
  const { person } = useHere()
  return (
    <Button
      variant="subtle"
      color="gray"
      c="var(--mantine-color-text)"
      px="xs"
      fw={500}
      rightSection={<Icon name="down" size={14} />}
      {...props}
    >
      <span className="initials" aria-hidden="true">
        {initialsOf(person.name)}
      </span>
      <bdi className="person-name">{person.name}</bdi>
      <VisuallyHidden>: account and theme</VisuallyHidden>
    </Button>
  )
}

/** `Ada King Lovelace` → AL */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
