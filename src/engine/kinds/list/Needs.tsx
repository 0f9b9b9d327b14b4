import { Button, Classes } from '@blueprintjs/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { Needs as Described } from '../../../contract/generated.ts'
import { COLOURS, type Mark } from '../../cells/MarksCell.tsx'
import { tagClass } from '../../cells/tagClass.ts'
import { useRead } from '../../core/calls.ts'
import { ReadFailure } from '../../core/ReadFailure.tsx'
import type { ListReply } from '../../core/results.ts'

/** Number of visible lines; a button shows the others. */
const FIRST = 6

interface Need {
  id: string
  kind: string
  level: Mark['level']
  name: string
  text: string
  page: string
  button: string
  to: string
}

/**
 * What needs the user's attention: a line each, with one button. Renders nothing if there is none, but an error if the
 * list cannot be read.
 */
export default function Needs({ needs }: { needs: Described }) {
  const [isExpanded, setExpanded] = useState(false)
  const { data, error, refetch } = useRead<ListReply>(needs.list, {})
  if (!data && error)
    return (
      <ReadFailure title={`${needs.title} could not be read.`} error={error} onRetry={() => void refetch()} />
    )
  const lines = (data?.data ?? []) as unknown as Need[]
  if (lines.length === 0) return null
  const hidden = isExpanded ? 0 : Math.max(0, lines.length - FIRST)
  return (
    <section className="needs" aria-label={needs.title}>
      <ul>
        {lines.slice(0, lines.length - hidden).map((line) => (
          <NeedLine key={line.id} line={line} />
        ))}
      </ul>
      {hidden > 0 && (
        <Button minimal small className="no-print" onClick={() => setExpanded(true)}>
          Show {hidden} more
        </Button>
      )}
    </section>
  )
}

function NeedLine({ line: { kind, level, name, text, page, button, to } }: { line: Need }) {
  return (
    <li>
      <span className="needs-kind">
        <span className={tagClass(COLOURS[level])}>{kind}</span>
      </span>
      <span className="needs-text">
        <Link to={page}>{name}</Link>
        {text}
      </span>
      <Link
        className={`${Classes.BUTTON} ${Classes.SMALL} no-print`}
        to={to}
        aria-label={`${button}: ${name}`}
      >
        {button}
      </Link>
    </li>
  )
}
