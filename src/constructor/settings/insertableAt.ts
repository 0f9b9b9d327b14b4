import type { Field } from '../../contract/generated.ts'
import { offeredAt, reachOf } from '../conditions/reach.ts'
import type { Insertable } from '../controls/InsertableText.tsx'
import type { Address } from '../state/address.ts'
import type { EditorContextValue } from '../state/editorContext.ts'

/**
 * What can be inserted into the texts of the field at an address: not the answer of `own`, which a message of a check
 * can have.
 */
export function insertableAt(
  form: Pick<EditorContextValue, 'groups' | 'outside'>,
  address: Address,
  own?: Field,
): Insertable {
  return {
    kind: 'field',
    fields: () => reachOf(form, address),
    listed: () => offeredAt(form, address, own === undefined),
    own,
  }
}
