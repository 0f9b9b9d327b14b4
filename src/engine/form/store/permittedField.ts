import type { Contract } from '../../../contract/contract.ts'
import type { Field, Property } from '../../../contract/generated.ts'
import { type Occasion, setRight } from '../../../contract/setBy.ts'
import type { Values } from '../../../contract/when.ts'

/**
 * Restricts a field to what the user may set. A field they may not set is left out of a new record and read-only in an
 * existing one; one they may set only to themselves offers nobody else.
 */
export function permittedField(
  { roles }: Contract,
  property: Property,
  field: Field,
  occasion: Occasion,
  user: Values,
): Field | undefined {
  // A read-only property is on a form because its screen shows it, or because it can be set at creation.
  if (property.readOnly) return field
  const right = setRight(roles, property, occasion, user.groups as number[])
  if (right === 'any') return field
  if (right === 'self') {
    const lookup_params = { ...field.attrs?.lookup_params, self: true }
    return { ...field, attrs: { ...field.attrs, lookup_params } }
  }
  return occasion === 'create' ? undefined : { ...field, attrs: { ...field.attrs, read_only: true } }
}
