import { Button } from '@mantine/core'
import { AllowedButton } from './allowed-button.tsx'

interface DownloadButtonProps {
  readonly href: string
  /** Why there is nothing to download now. */
  readonly because: string | null
  readonly children: string
}

export function DownloadButton({ href, because, children }: DownloadButtonProps) {
  if (because !== null) {
    return (
      <AllowedButton needs="viewer" worksOnEnding because={because} variant="default">
        {children}
      </AllowedButton>
    )
  }
  return (
    <Button component="a" variant="default" href={href} download>
      {children}
    </Button>
  )
}
