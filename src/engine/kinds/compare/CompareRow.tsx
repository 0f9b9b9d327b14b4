import { useId } from 'react'
import { CELL, ROW, ROW_HEAD } from '../list/tableRoles.ts'

export type Side = 'mine' | 'theirs' | 'both'

/** A field that differs, with its values in words. */
export interface ComparedRow {
  id: string
  label: string
  mine: string
  theirs: string
  may_both: boolean
  choice: Side | null
  reason: string | null
}

interface Props {
  row: ComparedRow
  chosen: Side | null
  /** True if the person wanted to go on without a choice. */
  isMissing: boolean
  onChoose: (side: Side) => void
}

/** One choice of one field; the radio buttons of a row belong to each other. */
export function CompareRow({ row, chosen, isMissing, onChoose }: Props) {
  const prefix = useId()
  const sides: Side[] = row.may_both ? ['mine', 'theirs', 'both'] : ['mine', 'theirs']
  const textOf = (side: Side) => (side === 'both' ? 'Both' : row[side] || 'Not given')
  return (
    <tr {...ROW} className={chosen ? undefined : 'compare-ask'}>
      <th {...ROW_HEAD} scope="row" id={`${prefix}.label`}>
        {row.label}
      </th>
      {sides.map((side) => (
        <td {...CELL} key={side} className={chosen === side ? 'compare-taken' : undefined}>
          <label>
            <input
              type="radio"
              name={row.id}
              value={side}
              checked={chosen === side}
              aria-labelledby={`${prefix}.label ${prefix}.${side}`}
              aria-invalid={isMissing || undefined}
              onChange={() => onChoose(side)}
            />
            <span id={`${prefix}.${side}`}>
              <span className={side !== 'both' && !row[side] ? 'compare-dim' : undefined}>
                {textOf(side)}
              </span>
              {row.choice === side && row.reason && <span className="compare-dim"> {row.reason}</span>}
            </span>
          </label>
        </td>
      ))}
      {!row.may_both && <td {...CELL}>{chosen ? null : <span className="compare-open">Choose</span>}</td>}
    </tr>
  )
}
