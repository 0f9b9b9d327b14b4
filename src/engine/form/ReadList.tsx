import type { ComponentType } from 'react'
import type { Field, FieldType } from '../../contract/generated.ts'
import { visibleRow } from '../../contract/visible.ts'
import { type ConditionContext, isSet, type Values } from '../../contract/when.ts'
import type { CellProps } from '../cells/cell.ts'
import { DateCell } from '../cells/DateCell.tsx'
import { DateTimeCell } from '../cells/DateTimeCell.tsx'
import { HoursCell } from '../cells/HoursCell.tsx'
import { LookupCell } from '../cells/LookupCell.tsx'
import { TextCell } from '../cells/TextCell.tsx'
import { YesNoCell } from '../cells/YesNoCell.tsx'
import { CONTACT_PARTS } from '../widgets/contactParts.ts'
import { StoredFile } from '../widgets/StoredFile.tsx'
import { RecordName } from './RecordName.tsx'

const CELLS: Partial<Record<FieldType, ComponentType<CellProps>>> = {
  date: DateCell,
  datetime: DateTimeCell,
  duration: HoursCell,
  select: LookupCell,
  multiselect: LookupCell,
  yesno: YesNoCell,
}

interface Props {
  fields: Field[]
  values: Values
  conditionContext: ConditionContext
}

/** Labels and values of a set of fields. */
export function ReadList({ fields, values, conditionContext }: Props) {
  return (
    <dl className="read-list">
      {fields.map((field) => (
        <div className="read-item" key={field.name}>
          <dt>{field.label}</dt>
          <dd>
            <ReadValue field={field} value={values[field.name]} conditionContext={conditionContext} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A field's value in words; one that was never given is said so. */
export function ReadValue({
  field,
  value,
  conditionContext,
}: {
  field: Field
  value: unknown
  conditionContext: ConditionContext
}) {
  if (!isSet(value)) return <span className="read-none">Not given</span>
  if (field.attrs?.ref) return <RecordName entity={field.attrs.ref} id={value} />
  if (field.type === 'file') return <StoredFile id={Number(value)} />
  if (field.type === 'contact') {
    const filledParts = CONTACT_PARTS.filter((part) => isSet((value as Values)[part.name]))
    return <ReadList fields={filledParts} values={value as Values} conditionContext={conditionContext} />
  }
  if (field.type === 'repeat') {
    return (
      <ol className="read-rows">
        {(value as Values[]).map((row, i) => (
          <li key={String(row.row ?? i)}>
            <ReadList
              fields={visibleRow(field.fields ?? [], row, conditionContext)}
              values={row}
              conditionContext={conditionContext}
            />
          </li>
        ))}
      </ol>
    )
  }
  const Cell = CELLS[field.type] ?? TextCell
  const { lookup, options } = field.attrs ?? {}
  return (
    <span className={field.type === 'textarea' ? 'read-lines' : undefined}>
      <Cell value={value} property={{ title: field.label, lookup, options }} row={{}} />
    </span>
  )
}
