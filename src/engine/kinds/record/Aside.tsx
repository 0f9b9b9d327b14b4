import { type ReactNode, useMemo } from 'react'
import { allows } from '../../../contract/access.ts'
import { FIELD_TYPES, holdsRows, takesOneChoice } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { visible, visibleRow } from '../../../contract/visible.ts'
import { type ConditionContext, isPlainObject, isSet, type Values } from '../../../contract/when.ts'
import { useOfferedActions } from '../../actions/useOfferedActions.ts'
import { columnsOf } from '../../cells/columns.ts'
import { PhoneCell } from '../../cells/PhoneCell.tsx'
import { Value } from '../../cells/Value.tsx'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import { ReadFailure } from '../../core/ReadFailure.tsx'
import { useUser } from '../../core/user.ts'
import { useWith } from '../../core/useWith.ts'
import { resolveSections } from '../../form/store/sections.ts'
import { slicesOf } from '../../form/store/slices.ts'
import { ReadValue } from '../../form/widgets/ReadView.tsx'
import { TickedValue } from '../list/Tick.tsx'
import { type AsideProps, CardFrame, type CardProps, notRead } from './CardFrame.tsx'
import { FirstRows } from './FirstRows.tsx'

/** Cards beside the tabs of a record, with data to look up while reading one of them. */
export default function Aside({ screen, record, params }: AsideProps) {
  const { roles, endpoints } = useContract()
  const { groups } = useUser()
  const cards = screen.aside!.filter(({ list }) => !list || allows(roles, endpoints[list].roles, groups))
  return (
    <aside className="detail-aside no-print" aria-label="Beside the record">
      {cards.map((card) => {
        const Card = card.list ? FirstRows : card.people ? People : RecordValues
        return <Card key={card.title} {...{ screen, record, params, card }} />
      })}
    </aside>
  )
}

/** A card of the record's own values; nothing if none is set and none can be planned. */
function RecordValues({ screen, record, params, card }: CardProps) {
  const contract = useContract()
  const all = columnsOf(contract, screen.read, card.fields ?? [])
  const planned = useOfferedActions(
    all.flatMap(({ empty }) => empty ?? []),
    record,
  )
  const columns = all.filter(
    ({ field, empty }) => isSet(record[field]) || (empty !== undefined && planned.includes(empty)),
  )
  if (columns.length === 0) return null
  return (
    <CardFrame {...{ card, record, params }}>
      {columns.map((column) => (
        <div className="aside-value" key={column.field}>
          {column.tick || column.empty ? (
            <TickedValue {...{ column, params }} row={record} about={String(record[column.field] ?? '')} />
          ) : (
            <Value column={column} row={record} />
          )}
        </div>
      ))}
    </CardFrame>
  )
}

interface Person {
  key: string
  name: string
  phone: string
  /** Role of the person: the question's label, or a value of the row. */
  role: ReactNode
}

/** A card of the people with a telephone number in the record's answers; nothing if there are none. */
function People({ screen, record, params, card }: CardProps) {
  const contract = useContract()
  const user = useUser()
  const roots = useMemo(() => ({ record, user }), [record, user])
  const withs = useWith(card.with, roots)
  const people = useMemo(() => {
    const entity = entityOf(contract, screen.read)
    const conditionContext = { ...roots, with: withs.values }
    const sections = resolveSections(contract, card.people!, entity.$id, conditionContext, 'update')
    return slicesOf(sections, record, conditionContext).flatMap((slice) =>
      visible(slice.groups, slice.conditionContext)
        .flatMap((group) => group.fields)
        .flatMap((field) => peopleIn(field, slice.conditionContext)),
    )
  }, [contract, screen, card, record, roots, withs.values])
  const isFailed = withs.error !== undefined
  if (people.length === 0 && !isFailed) return null
  return (
    <CardFrame {...{ card, record, params }}>
      <ul>
        {people.map(({ key, name, role, phone }) => (
          <li key={key}>
            {name}
            <span className="aside-role">{role}</span>
            <PhoneCell value={phone} property={{ title: 'Telephone' }} row={{}} />
          </li>
        ))}
      </ul>
      {isFailed && <ReadFailure title={notRead(card)} error={withs.error} onRetry={withs.retry} />}
    </CardFrame>
  )
}

/** The people with a telephone number in an answer: in a contact itself, or in the rows of a repeat with such a column. */
function peopleIn(field: Field, conditionContext: ConditionContext): Person[] {
  const value = conditionContext.answers?.[field.name]
  if (FIELD_TYPES[field.type].parts && isPlainObject(value)) {
    const { name, phone, organisation, role } = value as Record<string, string | undefined>
    if (!phone) return []
    const parts = [field.label, role, organisation].filter(Boolean)
    return [{ key: field.name, name: name ?? field.label, phone, role: parts.join(', ') }]
  }
  if (!holdsRows(field) || !Array.isArray(value)) return []
  return (value as Values[]).flatMap((row, i) => {
    const columns = visibleRow(field.fields ?? [], row, conditionContext)
    const phone = columns.find(({ type, name }) => FIELD_TYPES[type].isPhone && isSet(row[name]))
    const name = columns.find((column) => column.name === 'name')
    const role = columns.find((column) => takesOneChoice(column) && isSet(row[column.name]))
    if (!phone || !name || !isSet(row[name.name])) return []
    return [
      {
        key: `${field.name}-${row.row ?? i}`,
        name: String(row[name.name]),
        phone: String(row[phone.name]),
        role: role ? (
          <ReadValue field={role} value={row[role.name]} conditionContext={conditionContext} />
        ) : (
          field.label
        ),
      },
    ]
  })
}
