import type { ReactElement } from 'react'
import { FIELD_TYPES } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import type { Item } from '../address.ts'

/** What is special about a group or field, in a few words under its name in the tree. */
export function RowFacts({ item, errors }: { item: Item; errors: number }): ReactElement {
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
      {errors > 0 && (
        <strong>
          {facts.length > 0 && ' · '}
          {errors} {errors === 1 ? 'problem' : 'problems'}
        </strong>
      )}
    </span>
  )
}
