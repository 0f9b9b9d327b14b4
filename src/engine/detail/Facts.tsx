import { isSet } from '../../contract/when.ts'
import type { RenderedColumn } from '../cells/columns.ts'
import { Value } from '../cells/Value.tsx'

/** A record's most important values in a line, each under its name. */
export function Facts({ facts, record }: { facts: RenderedColumn[]; record: Record<string, unknown> }) {
  if (facts.length === 0) return null
  return (
    <dl className="detail-facts">
      {facts.map((fact) => (
        <div key={fact.field}>
          <dt>{fact.title}</dt>
          <dd>{isSet(record[fact.field]) ? <Value column={fact} row={record} /> : '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
