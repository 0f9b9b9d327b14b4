import type { Field } from '../types.ts'
import type { Literal } from '../when.ts'
import { answerWords, type ItemLabel } from './answerWords.ts'
import { quoted } from './quoted.ts'

/** Whether an item is still offered by its list; undefined where that is not known. */
export type ItemFate = (lookup: string, value: number) => 'offered' | 'retired' | 'gone' | undefined

const WORDS = { retired: 'which is retired', gone: 'which its list does not have' }

/** Why nobody can choose a value of a field any more: its item is retired or gone; undefined where they can. */
export function lostItem(
  { attrs = {} }: Field,
  value: Literal,
  itemFate: ItemFate,
): 'retired' | 'gone' | undefined {
  if (!attrs.lookup || attrs.options || typeof value !== 'number') return undefined
  const fate = itemFate(attrs.lookup, value)
  return fate === 'offered' ? undefined : fate
}

/** That a field begins as an item that its list does not offer, in a sentence; empty where it does not. */
export function lostDefault(field: Field, itemLabel: ItemLabel, itemFate: ItemFate): string[] {
  const { type, label, name, attrs } = field
  if ((type !== 'select' && type !== 'multiselect') || attrs?.default === undefined) return []
  return ([attrs.default].flat() as Literal[]).flatMap((value) => {
    const lost = lostItem(field, value, itemFate)
    if (!lost) return []
    const words = answerWords(field, value, itemLabel)
    return [`${quoted(label, name)} begins as '${words}', ${WORDS[lost]}; choose another`]
  })
}
