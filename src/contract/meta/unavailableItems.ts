import { computedDefault } from '../computedDefault.ts'
import { describeAnswer, type ItemLabel } from '../describeAnswer.ts'
import { hasChoices } from '../fieldTypes.ts'
import type { Field } from '../generated.ts'
import { quoted } from '../quoted.ts'
import type { Literal } from '../when.ts'

/** Returns the status of a lookup item; undefined if it is not known. */
export type ItemStatus = (lookup: string, value: number) => 'offered' | 'retired' | 'gone' | undefined

const WORDS = { retired: 'which is retired', gone: 'which its list does not have' }

/** The status of a lookup item that nobody can choose any more; undefined if people can. */
export function unavailableItem(
  { attrs = {} }: Field,
  value: Literal,
  itemStatus: ItemStatus,
): 'retired' | 'gone' | undefined {
  if (!attrs.lookup || attrs.options || typeof value !== 'number') return undefined
  const status = itemStatus(attrs.lookup, value)
  return status === 'offered' ? undefined : status
}

/** A sentence for each item of a field's default that its list does not offer. */
export function unavailableDefault(field: Field, itemLabel: ItemLabel, itemStatus: ItemStatus): string[] {
  const { label, name, attrs } = field
  if (!hasChoices(field) || attrs?.default === undefined) return []
  if (computedDefault(field)) return []
  return ([attrs.default].flat() as Literal[]).flatMap((value) => {
    const unavailable = unavailableItem(field, value, itemStatus)
    if (!unavailable) return []
    const words = describeAnswer(field, value, itemLabel)
    return [`${quoted(label, name)} begins as '${words}', ${WORDS[unavailable]}; choose another`]
  })
}
