import { Callout } from '@blueprintjs/core'
import { formatDecimal, isDecimal } from '../../../contract/decimal.ts'
import { FIELD_TYPES, hasPoints, holdsRows, isQuestion, isRendered } from '../../../contract/fieldTypes.ts'
import type { Field, Group } from '../../../contract/generated.ts'
import { describeScale } from '../../../contract/scale.ts'
import { evaluate, evaluateRow, withRow } from '../../../contract/visible.ts'
import { type ConditionContext, isSet, type Values } from '../../../contract/when.ts'
import { cells } from '../../cells/cells.ts'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { statusOf } from '../../core/describeError.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import type { FormSection } from '../store/sections.ts'
import { keyOf, type Slice, slicesOf } from '../store/slices.ts'
import { SignaturePicture } from './Signature.tsx'
import { StoredFile } from './StoredFile.tsx'

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
  return isQuestion(field) && isRendered(field)
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
  const { cell, holdsFile, isMultiline, parts } = FIELD_TYPES[field.type]
  if (holdsFile === 'drawn') return <SignaturePicture id={Number(value)} label={field.label} />
  if (holdsFile) return <StoredFile id={Number(value)} />
  if (parts) {
    const filledParts = parts.filter((part) => isSet((value as Values)[part.name]))
    return <ReadList fields={filledParts} values={value as Values} conditionContext={conditionContext} />
  }
  if (holdsRows(field)) {
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
  if (hasPoints(field)) return `${value} on a scale from ${describeScale(field.attrs)}`
  // Only lists write thousands with commas.
  const Cell = cell === 'number' ? cells.text : cells[cell]
  const { lookup, options } = field.attrs ?? {}
  return (
    <span className={isMultiline ? 'read-lines' : undefined}>
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
