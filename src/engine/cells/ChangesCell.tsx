import type { CellProps } from './cell.ts'

interface Change {
  field: string
  label: string
  from: string
  to: string
}

/** What was changed from what to what, in the server's words. */
export function ChangesCell({ value }: CellProps) {
  if (!Array.isArray(value) || value.length === 0) return null
  return (
    <dl className="changes">
      {(value as Change[]).map(({ field, label, from, to }) => (
        <div key={field}>
          <dt>{label}</dt>
          <dd>
            {from && <del>{from}</del>} {to ? <ins>{to}</ins> : <em>emptied</em>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
