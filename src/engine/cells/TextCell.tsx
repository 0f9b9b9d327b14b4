import type { CellProps } from './cell.ts'

/** Texts longer than this may be clipped after some lines. */
const LONG = 80

/** The value as text; a list or an object as its texts, joined by commas. */
export function TextCell({ value }: CellProps) {
  const text = textOf(value)
  if (text.length <= LONG) return text
  return (
    <span className="long-text" title={text}>
      {text}
    </span>
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  return Object.values(value).map(textOf).filter(Boolean).join(', ')
}
