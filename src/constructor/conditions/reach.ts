import { isQuestion } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import { fieldsByName, withinReach } from '../../contract/meta/places.ts'
import { type Address, fieldAt, repeatsAround } from '../state/address.ts'
import type { EditorContextValue } from '../state/editorContext.ts'

type Form = Pick<EditorContextValue, 'groups' | 'outside'>

/**
 * Fields that a condition at an address can refer to, by name; inside a repeat, columns of the same row shadow fields
 * around it. Those outside of the form come last.
 */
export function reachOf({ groups, outside }: Form, address: Address): Map<string, Field> {
  const inForm = withinReach(fieldsByName(groups), repeatsAround(groups, address))
  return new Map([...inForm, ...outside])
}

/**
 * Fields of `reachOf` that a condition is offered: not those inside its item, nor the item itself or the repeats around
 * it, which would be circular, nor notes. A check is offered its own field first.
 */
export function offeredAt(form: Form, address: Address, isCheck = false): Field[] {
  const { groups } = form
  const own = groups.find((g) => g.name === address[0])
  const field = isCheck ? fieldAt(groups, address) : undefined
  const without = address.length === 1 ? (own?.fields.map((f) => f.name) ?? []) : address.slice(1)
  const reach = reachOf(form, address)
  const inRows = repeatsAround(groups, address).reverse()
  const columns = inRows.flatMap(({ fields = [] }) => fields)
  const first = columns.filter((c) => reach.get(c.name) === c && !without.includes(c.name))
  const rest = [...reach.values()].filter((f) => !without.includes(f.name) && !columns.includes(f))
  return [...(field ? [field] : []), ...first, ...rest].filter(isQuestion)
}
