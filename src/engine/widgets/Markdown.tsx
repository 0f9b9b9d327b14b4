import { Markdown as MarkdownToJsx } from 'markdown-to-jsx/react'
import type { ComponentProps } from 'react'

/** A heading would stand in the page's own order of headings. */
function Heading({ children }: ComponentProps<'p'>) {
  return (
    <p>
      <strong>{children}</strong>
    </p>
  )
}

/** What is half filled in stays. */
function Link({ href, children }: ComponentProps<'a'>) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

const OPTIONS = {
  disableParsingRawHTML: true,
  forceBlock: true,
  wrapper: 'div',
  overrides: {
    a: Link,
    img: () => null,
    ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, Heading])),
  },
} as const

/** A text in Markdown, of which HTML and pictures are left out. */
export default function Markdown({ text }: { text: string }) {
  return <MarkdownToJsx options={OPTIONS}>{text}</MarkdownToJsx>
}
