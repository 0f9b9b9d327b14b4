import { Callout } from '@blueprintjs/core'
import type { ComponentType } from 'react'
import { CONTACT_PARTS } from '../../../contract/contactParts.ts'
import { formatDecimal, isDecimal } from '../../../contract/decimal.ts'
import { isRendered } from '../../../contract/fieldTypes.ts'
import type { Field, FieldType, Group } from '../../../contract/generated.ts'
import { describeScale } from '../../../contract/scale.ts'
import { evaluate, evaluateRow, withRow } from '../../../contract/visible.ts'
import { type ConditionContext, isSet, type Values } from '../../../contract/when.ts'
import type { CellProps } from '../../cells/cell.ts'
import { DateCell } from '../../cells/DateCell.tsx'
import { DateTimeCell } from '../../cells/DateTimeCell.tsx'
import { HoursCell } from '../../cells/HoursCell.tsx'
import { LookupCell } from '../../cells/LookupCell.tsx'
import { TextCell } from '../../cells/TextCell.tsx'
import { YesNoCell } from '../../cells/YesNoCell.tsx'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { statusOf } from '../../core/describeError.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import type { FormSection } from '../store/sections.ts'
import { keyOf, type Slice, slicesOf } from '../store/slices.ts'
import { SignaturePicture } from './Signature.tsx'
import { StoredFile } from './StoredFile.tsx'

const CELLS: Partial<Record<FieldType, ComponentType<CellProps>>> = {
  date: DateCell,
  month: DateCell,
  datetime: DateTimeCell,
  duration: HoursCell,
  select: LookupCell,
  multiselect: LookupCell,
  yesno: YesNoCell,
}

interface Props {
  sections: FormSection[]
  document: Values
  conditionContext: ConditionContext
  /** Level of the group headings; omitted: 2. */
  level?: 2 | 3
}

/** A read-only view of a document: the labels and values of the fields that a form would render. */
export function ReadView({ sections, document, conditionContext, level = 2 }: Props) {
  const Label = level === 2 ? 'h2' : 'h3'
  const keysOf = (some: FormSection[]) =>
    some.flatMap((section) => section.groups.map((group) => keyOf(section, group)))
  const answeredOnly = keysOf(sections.filter((section) => section.isAnsweredOnly))
  const notes = keysOf(sections.filter((section) => section.isNote))
  // A section with `isAnsweredOnly` shows no calculated values, only stored ones.
  const visibleFields = ({ name, fields }: Group, values: Values) =>
    answeredOnly.includes(name) ? fields.filter((field) => isSet(values[field.name])) : fields
  const visibleGroupsOf = ({ groups, conditionContext }: Slice) => {
    const { groups: visibleGroups, answers } = evaluate(groups, conditionContext)
    return visibleGroups
      .map((group) => ({ ...group, answers, fields: visibleFields(group, conditionContext.answers ?? {}) }))
      .filter(({ name, fields }) => notes.includes(name) || fields.some(isListed))
  }
  return (
    <div className="form">
      {slicesOf(sections, document, conditionContext).flatMap((slice) =>
        visibleGroupsOf(slice).map((group) =>
          notes.includes(group.name) ? (
            <Warning key={group.name} note={group.fields[0]} />
          ) : (
            <section className="form-section" key={group.name}>
              {group.label && <Label>{group.label}</Label>}
              <ReadList
                fields={group.fields}
                values={group.answers}
                conditionContext={slice.conditionContext}
              />
            </section>
          ),
        ),
      )}
    </div>
  )
}

function Warning({ note: { label, attrs } }: { note: Field }) {
  return (
    <Callout className="form-note" intent="warning" compact role="note">
      <strong>{label}</strong> {attrs?.text}
    </Callout>
  )
}

interface ReadListProps {
  fields: Field[]
  values: Values
  conditionContext: ConditionContext
}

/** True if a field has a value to show: notes only help to fill in a form, hidden fields are never rendered. */
function isListed(field: Field): boolean {
  return field.type !== 'note' && isRendered(field)
}

/** Labels and values of a set of fields. */
function ReadList({ fields, values, conditionContext }: ReadListProps) {
  return (
    <dl className="read-list">
      {fields.filter(isListed).map((field) => (
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

/** A field's value as text, or a text that it is unset. */
export function ReadValue({
  field,
  value,
  conditionContext,
}: {
  field: Field
  value: unknown
  conditionContext: ConditionContext
}) {
  if (!isSet(value))
    return <span className="read-none">{field.attrs?.calc ? 'Not known yet' : 'Not given'}</span>
  if (field.attrs?.ref) return <RecordName entity={field.attrs.ref} id={value} />
  if (field.type === 'file') return <StoredFile id={Number(value)} />
  if (field.type === 'signature') return <SignaturePicture id={Number(value)} label={field.label} />
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
              {...evaluateRow(field.fields ?? [], row, conditionContext)}
              conditionContext={withRow(conditionContext, row)}
            />
          </li>
        ))}
      </ol>
    )
  }
  if (isDecimal(field)) return formatDecimal(value, field)
  if (field.type === 'scale') return `${value} on a scale from ${describeScale(field.attrs)}`
  const Cell = CELLS[field.type] ?? TextCell
  const { lookup, options } = field.attrs ?? {}
  return (
    <span className={field.type === 'textarea' ? 'read-lines' : undefined}>
      <Cell value={value} property={{ title: field.label, lookup, options }} row={{}} />
    </span>
  )
}

/** The name of a record; its number until the name is loaded, or if no endpoint reads it. */
function RecordName({ entity, id }: { entity: string; id: unknown }) {
  return useRecordName(entity, id)
}

/** The same as a string; without an id, no request is sent. */
export function useRecordName(entity: string, id: unknown): string {
  const { entities, endpoints } = useContract()
  const { title, named } = entities[entity]
  const read = Object.keys(endpoints).find((name) => endpoints[name].does === `read ${entity}`)
  const { data, error } = useRead<Values>(isSet(id) && named ? read : undefined, { params: { id } })
  if (named && data) return fillTemplate(named, data)
  const isMissing = statusOf(error) === 404
  return `${title} ${id}${isMissing ? ': there is none, or you may not see it' : ''}`
}
