import { CopyButton } from './copy-button.tsx'

interface CodeBlockProps {
  /** What it is, for those who hear the page: "curl command". */
  readonly label: string
  readonly text: string
  /** What is to be seen, where that is not all of what is copied. */
  readonly shown?: string | undefined
  readonly onCopied?: (() => void) | undefined
}

/** Lines to copy. */
export function CodeBlock({ label, text, shown = text, onCopied }: CodeBlockProps) {
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="code-scroll" tabIndex={0} aria-label={label}>
        <pre>
          <code>{shown}</code>
        </pre>
      </section>
      <div className="code-block-copy">
        <CopyButton label={`Copy ${label}`} text={text} onCopied={onCopied} iconOnly />
      </div>
    </div>
  )
}
