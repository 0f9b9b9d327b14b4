import { Markdown as MarkdownToJsx } from 'markdown-to-jsx/react'
import type { ComponentProps } from 'react'
import { fileOfPicture } from '../../../contract/notePictures.ts'
import { usePicture } from './usePicture.ts'

/** Renders a heading as bold text, to keep the heading levels of the page. */
function Heading({ children }: ComponentProps<'p'>) {
  return (
    <p>
      <strong>{children}</strong>
    </p>
  )
}

/** Opens links in a new tab, so that a half-filled form stays open. */
function Link({ href, children }: ComponentProps<'a'>) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

/** A picture that was uploaded for a note and has an alternative text; any other is left out. */
function Picture({ src, alt = '' }: ComponentProps<'img'>) {
  const id = alt.trim() === '' ? undefined : fileOfPicture(src)
  const { data, isError } = usePicture(id)
  if (isError) return <span className="read-none">The picture cannot be shown: {alt}</span>
  return data && <img src={data} alt={alt} />
}

const OPTIONS = {
  disableParsingRawHTML: true,
  forceBlock: true,
  wrapper: 'div',
  overrides: {
    a: Link,
    img: Picture,
    ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, Heading])),
  },
} as const

/** Renders Markdown, without HTML and external pictures. */
export default function Markdown({ text }: { text: string }) {
  return <MarkdownToJsx options={OPTIONS}>{text}</MarkdownToJsx>
}
