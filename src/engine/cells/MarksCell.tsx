import type { CellProps } from './cell.ts'
import { type Colour, tagClass } from './tagClass.ts'

/** A mark of a record, such as an alert; `text` is null for those who may only know its label. */
export interface Mark {
  level: 'danger' | 'warning' | 'info'
  label: string
  text: string | null
}

export const COLOURS: Record<Mark['level'], Colour> = { danger: 'red', warning: 'amber', info: 'blue' }

/** The marks of a record, each in words and colour. */
export function MarksCell({ value }: CellProps) {
  const marks = marksIn(value)
  if (marks.length === 0) return null
  return (
    <span className="marks">
      {marks.map((mark) => (
        <MarkTag key={wordsOf(mark)} mark={mark} />
      ))}
    </span>
  )
}

/** The most serious mark beside a name, and how many others there are. */
export function FirstMark({ value }: { value: unknown }) {
  const [first, ...others] = marksIn(value)
  if (!first) return null
  const more = others.map(wordsOf).join(', ')
  return (
    <>
      {' '}
      <MarkTag mark={first} />
      {others.length > 0 && (
        <span className="mark-more" title={more}>
          <span aria-hidden>+{others.length}</span>
          <span className="visually-hidden">, {more}</span>
        </span>
      )}
    </>
  )
}

function MarkTag({ mark }: { mark: Mark }) {
  const words = wordsOf(mark)
  return (
    <span className={`${tagClass(COLOURS[mark.level])} mark`} title={words}>
      <span>{words}</span>
    </span>
  )
}

function wordsOf({ text, label }: Mark): string {
  return text ?? label
}

function marksIn(value: unknown): Mark[] {
  return Array.isArray(value) ? (value as Mark[]) : []
}
