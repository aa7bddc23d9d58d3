import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { Icon } from './icons.tsx'

interface ErrorBoundaryProps {
  /** Where the person is: on another page it tries again. */
  readonly at: string
  readonly children: ReactNode
}

interface State {
  readonly caught: { readonly error: unknown } | null
}

/** Shows what a part of the page has thrown, and the way on, instead of an empty page. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { caught: null }

  static getDerivedStateFromError(error: unknown): State {
    return { caught: { error } }
  }

  override componentDidUpdate(before: ErrorBoundaryProps): void {
    if (this.state.caught && before.at !== this.props.at) this.setState({ caught: null })
  }

  override render(): ReactNode {
    const { caught } = this.state
    return caught ? <Broken error={caught.error} /> : this.props.children
  }
}

function Broken({ error }: { readonly error: unknown }) {
  return (
    <Alert color="red" title="This page does not work" icon={<Icon name="warning" />} role="alert" m="md">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          Something in the page itself went wrong. Nothing was changed by it. Load the page again; if that does not
          help, tell whoever runs this installation:
        </Text>
        <Text size="sm" className="mono wrap">
          {error instanceof Error ? error.message : String(error)}
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => location.reload()}>
            Load again
          </Button>
          <Button size="xs" variant="default" component="a" href="/">
            Go to the overview
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
