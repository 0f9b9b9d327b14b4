import { Button } from '@blueprintjs/core'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import type { RenderedColumn } from '../../cells/columns.ts'

interface Props {
  all: RenderedColumn[]
  visible: RenderedColumn[]
  /** Called with the fields in their order; undefined resets them to those of the list. */
  onChoose: (fields: string[] | undefined) => void
}

/** Chooses the visible columns of a list and their order; the first one is fixed. */
export function ColumnChooser({ all, visible, onChoose }: Props) {
  const id = useId()
  const box = useRef<HTMLOListElement>(null)
  const focus = useRef<string>(undefined)
  const [announcement, setAnnouncement] = useState('')
  const isVisible = ({ field }: RenderedColumn) => visible.some((one) => one.field === field)
  const rows = [...visible, ...all.filter((column) => !isVisible(column))]
  const fields = visible.map(({ field }) => field)
  useLayoutEffect(() => {
    // A row that moved lost the focus of its button.
    if (focus.current) box.current?.querySelector<HTMLElement>(focus.current)?.focus()
    focus.current = undefined
  })
  const toggle = ({ field }: RenderedColumn, on: boolean) => {
    focus.current = `[data-field="${field}"] input`
    onChoose(on ? [...fields, field] : fields.filter((one) => one !== field))
  }
  const move = ({ field, title }: RenderedColumn, by: -1 | 1) => {
    const from = fields.indexOf(field)
    const to = from + by
    if (to < 1 || to >= fields.length)
      return setAnnouncement(`${title} is already ${to < 1 ? 'next to the first column' : 'the last column'}`)
    focus.current = `[data-field="${field}"] [data-by="${by}"]`
    setAnnouncement(`${title} is now column ${to + 1} of ${fields.length}`)
    onChoose(fields.toSpliced(from, 1).toSpliced(to, 0, field))
  }
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>Columns</h3>
      <p className="views-hint">
        Print and Excel show the same columns. Outside a saved view they are remembered for you on this
        device.
      </p>
      <ol className="views-columns" ref={box} aria-labelledby={id}>
        {rows.map((column, at) => (
          <li key={column.field} data-field={column.field}>
            <label>
              <input
                type="checkbox"
                checked={isVisible(column)}
                disabled={at === 0}
                onChange={(event) => toggle(column, event.currentTarget.checked)}
              />
              {column.title}
              {at === 0 && <span className="views-hint"> (always shown)</span>}
            </label>
            {at > 0 && isVisible(column) && (
              <>
                <MoveButton by={-1} isAtEdge={at === 1} {...{ column, move }} />
                <MoveButton by={1} isAtEdge={at === visible.length - 1} {...{ column, move }} />
              </>
            )}
          </li>
        ))}
      </ol>
      <Button text="Show the usual columns" onClick={() => onChoose(undefined)} />
      <p className="visually-hidden" aria-live="assertive">
        {announcement}
      </p>
    </section>
  )
}

interface MoveProps {
  by: -1 | 1
  isAtEdge: boolean
  column: RenderedColumn
  move: (column: RenderedColumn, by: -1 | 1) => void
}

function MoveButton({ by, isAtEdge, column, move }: MoveProps) {
  return (
    <Button
      data-by={by}
      variant="minimal"
      icon={by < 0 ? 'arrow-up' : 'arrow-down'}
      aria-label={`Move ${column.title} ${by < 0 ? 'up' : 'down'}`}
      aria-disabled={isAtEdge || undefined}
      onClick={() => move(column, by)}
    />
  )
}
