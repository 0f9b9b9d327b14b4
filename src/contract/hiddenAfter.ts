import type { Field } from './generated.ts'
import type { PreparedForm } from './preparedForm.ts'
import type { VisibleState } from './repeatRows.ts'
import { isSet, type Values } from './when.ts'

interface HiddenOptions {
  /** The fields of all groups by name, visible or not. */
  byName: Map<string, Field>
  /** Names of the fields marked `hidden`. */
  alwaysHidden: Set<string>
  places: PreparedForm['places']
  before: Values
  /** The answers before, those that count and hidden ones. */
  known: Values
  hiddenBefore: Values
  /** The sent answers to fields that can be answered. */
  accepted: Values
  bringsBack: boolean
  /** The answers after the change. */
  values: Values
  /** The visible fields by name. */
  fields: Map<string, Field>
  visibleBefore: VisibleState
  isValid: (field: Field, value: unknown) => boolean
  /** The hidden columns of the rows in `values`. */
  hiddenColumns: Values
}

/** The answers that do not count after a change, and those of them that the change hides. */
export function hiddenAfter(options: HiddenOptions): { hidden: Values; hiddenByChange: Set<string> } {
  const { byName, alwaysHidden, places, before, known, hiddenBefore } = options
  const { accepted, bringsBack, values, fields, visibleBefore } = options
  const hidden: Values = { ...options.hiddenColumns }
  const hiddenByChange = new Set(Object.keys(hidden))
  for (const name of new Set([...Object.keys(known), ...(bringsBack ? Object.keys(accepted) : [])])) {
    const field = byName.get(name)
    if (name in values || field?.attrs?.calc) continue
    if (fields.has(name)) {
      // A visible field without an answer: a person who saves the whole form has cleared it, but another caller does
      // not know of the hidden answer.
      if (!bringsBack && name in hiddenBefore) hidden[name] = hiddenBefore[name]
      continue
    }
    const wasVisible = visibleBefore.fields.has(name)
    if (alwaysHidden.has(name) && wasVisible) continue
    const typed = accepted[name]
    const isTyped =
      bringsBack && isSet(typed) && places.has(name) && options.isValid(places.get(name)![0][1], typed)
    if (isTyped) hidden[name] = typed
    else if (name in known) hidden[name] = known[name]
    else continue
    if (isTyped || (wasVisible && name in before)) hiddenByChange.add(name)
  }
  return { hidden, hiddenByChange }
}
