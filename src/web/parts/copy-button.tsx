import { Button, type ButtonProps, Textarea, VisuallyHidden } from '@mantine/core'
import { type Ref, useEffect, useRef, useState } from 'react'
import { Icon } from './icons.tsx'

interface CopyButtonProps extends Pick<ButtonProps, 'variant' | 'size'> {
  /** What the button is called: "Copy secret". */
  readonly label: string
  readonly text: string
  /** The same for those who hear it, where there are several on a page. */
  readonly describedAs?: string
  readonly onCopied?: (() => void) | undefined
  readonly buttonRef?: Ref<HTMLButtonElement>
  readonly iconOnly?: boolean
}

/** Copies a text and says so. Where the browser does not permit it, offers the text selected for copying by hand. */
export function CopyButton(props: CopyButtonProps) {
  const { label, text, describedAs, onCopied, buttonRef, iconOnly = false, ...look } = props

  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (state !== 'copied') return
    const timer = setTimeout(() => setState('idle'), 2500)
    return () => clearTimeout(timer)
  }, [state])

  const copied = () => {
    setState('copied')
    onCopied?.()
  }
  const copy = () => navigator.clipboard?.writeText(text).then(copied, () => setState('refused')) ?? setState('refused')
  const icon = <Icon name={state === 'copied' ? 'check' : 'copy'} size={16} />
  return (
    <>
      <Button
        variant="default"
        size="xs"
        {...look}
        {...(buttonRef ? { ref: buttonRef } : {})}
        {...(describedAs === undefined || state === 'copied' ? {} : { 'aria-label': describedAs })}
        {...(iconOnly ? { 'aria-label': label, title: label, px: 7, className: 'no-shrink' } : { leftSection: icon })}
        onClick={copy}
      >
        {iconOnly ? icon : state === 'copied' ? 'Copied' : label}
      </Button>
      <VisuallyHidden role="status">{state === 'copied' ? 'Copied' : ''}</VisuallyHidden>
      {state === 'refused' && <CopyByHand text={text} onCopied={copied} />}
    </>
  )
}

function CopyByHand({ text, onCopied }: { readonly text: string; readonly onCopied: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  return (
    <Textarea
      ref={field}
      readOnly
      autosize
      w="100%"
      value={text}
      onCopy={onCopied}
      label="Copy it by hand"
      description="This browser does not let the page copy. The text is selected: press Ctrl+C or ⌘C."
      classNames={{ input: 'mono' }}
    />
  )
}
