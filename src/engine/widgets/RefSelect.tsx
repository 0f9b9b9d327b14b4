import { HTMLSelect } from '@blueprintjs/core'
import { allows } from '../../contract/access.ts'
import { isSet, type Values } from '../../contract/when.ts'
import { useRead } from '../calls.ts'
import { useContract } from '../contract.ts'
import { entityOf } from '../entityOf.ts'
import { fillText } from '../fillText.ts'
import { getAt, parentOf } from '../form/paths.ts'
import { useUser } from '../user.ts'
import { type AskProps, controlProps, specOf } from './ask.ts'

const MOST = 100

/** Another record: chosen from the list that its entity names, by what people call one. */
export function RefSelect(ask: AskProps) {
  const { id, value, onChange, onBlur, options, registry } = ask
  const contract = useContract()
  const user = useUser()
  const { entities, endpoints, roles } = contract
  const { title, chosen } = entities[specOf(options)!.attrs!.ref!]
  const isAllowed = chosen && allows(roles, endpoints[chosen.from].roles, user.groups)
  const call = isAllowed ? chosen.from : undefined
  const { data } = useRead<{ data: Values[] }>(call, { query: { page_size: MOST } })
  if (!chosen || !call) return <p id={id}>Open the {title.toLowerCase()} it is for, and add it there.</p>
  const { store, pathOf } = registry.formContext
  const around = (getAt(store.document(), parentOf(pathOf(id))) ?? {}) as Values
  const belongs = Object.entries(entityOf(contract, call).properties).filter(([, { ref }]) => ref)
  // What belongs elsewhere than the record itself is not offered.
  const isFitting = (row: Values) =>
    belongs.every(([name]) => !isSet(around[name]) || around[name] === row[name])
  const rows = data?.data.filter(isFitting).map((row) => ({ id: row.id, label: fillText(chosen.label, row) }))
  rows?.sort((a, b) => a.label.localeCompare(b.label))
  const isUnknown = isSet(value) && !rows?.some((row) => row.id === value)
  return (
    <HTMLSelect
      {...controlProps(ask)}
      iconProps={{ title: undefined }}
      aria-busy={rows ? undefined : true}
      value={isSet(value) ? String(value) : ''}
      onChange={(event) => onChange(Number(event.currentTarget.value) || undefined)}
      onBlur={() => onBlur(id, value)}
    >
      <option value="">{rows?.length === 0 ? 'There is none of yours' : rows ? '' : 'Loading…'}</option>
      {rows?.map((row) => (
        <option key={String(row.id)} value={String(row.id)}>
          {row.label}
        </option>
      ))}
      {isUnknown && (
        <option value={String(value)}>
          {title} {String(value)}
          {rows && ' (no longer offered)'}
        </option>
      )}
    </HTMLSelect>
  )
}
