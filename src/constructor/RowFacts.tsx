import type { ReactElement } from 'react'
import type { Field } from '../contract/types.ts'
import { type Address, type Item, isSame } from './address.ts'
import { useBench } from './bench.ts'
import { FIELD_TYPES } from './fieldTypes.ts'

/** What is special about a group or field, in a few words under its name in the tree. */
export function RowFacts({ item, address }: { item: Item; address: Address }): ReactElement | null {
  const { problems } = useBench()
  const own = problems.filter((p) => isSame(p.address, address)).length
  const { is_on, when, required, required_when } = (item as Field).attrs ?? {}
  const facts = [
    'type' in item && FIELD_TYPES[item.type].title,
    !('type' in item) && `${item.fields.length} ${item.fields.length === 1 ? 'field' : 'fields'}`,
    required && 'required',
    required_when && 'sometimes required',
    when && 'conditional',
    is_on === false && 'off',
  ].filter(Boolean)
  return (
    <span className="constructor-facts">
      {facts.join(' · ')}
      {own > 0 && (
        <strong>
          {facts.length > 0 && ' · '}
          {own} {own === 1 ? 'problem' : 'problems'}
        </strong>
      )}
    </span>
  )
}
