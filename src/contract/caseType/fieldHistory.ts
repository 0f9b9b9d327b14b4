import { FIELD_TYPES } from '../fieldTypes.ts'
import type { Field } from '../generated.ts'
import { quoted, quotedAll } from '../quoted.ts'

/** A field as one version of a form has it; undefined if the version has none. */
export interface FieldOfVersion {
  version: number
  field?: Field
}

/** What became of a field with a version, as sentences without their subject. */
export interface FieldChange {
  version: number
  words: string[]
}

/** What the versions of a form, in their order, have made of a field; versions that left it unchanged are left out. */
export function fieldHistory(versions: FieldOfVersion[]): FieldChange[] {
  let last: Field | undefined
  let isKnown = false
  return versions.flatMap(({ version, field }) => {
    const words = changesOf(last, field, isKnown)
    last = field
    isKnown ||= field !== undefined
    return words.length > 0 ? [{ version, words }] : []
  })
}

function changesOf(was: Field | undefined, is: Field | undefined, isKnown: boolean): string[] {
  if (!was && !is) return []
  if (!is) return ['Removed from the form']
  if (!was) return [`${isKnown ? 'Added again' : 'Added'} as ${quoted(is.label, is.name)}, ${titleOf(is)}`]
  return [
    was.name !== is.name && `Stored as ${is.name}, until then as ${was.name}`,
    was.label !== is.label && `Called ${quoted(is.label)}, until then ${quoted(was.label)}`,
    was.type !== is.type && `Type ${titleOf(is)}, until then ${titleOf(was)}`,
    ...choiceChanges(was, is),
    isOff(was) !== isOff(is) && (isOff(is) ? 'Switched off' : 'Switched on'),
  ].filter((words) => words !== false)
}

function choiceChanges(was: Field, is: Field): (string | false)[] {
  const [before, now] = [was, is].map(
    ({ attrs }) => new Map((attrs?.options ?? []).map((option) => [option.value, option])),
  )
  const labels = (options: { label: string }[]) => quotedAll(options.map(({ label }) => label))
  const added = [...now.values()].filter(({ value }) => !before.has(value))
  const gone = [...before.values()].filter(({ value }) => !now.has(value))
  const kept = [...now.values()].filter(({ value }) => before.has(value))
  const wasActive = (value: string | number) => before.get(value)?.active !== false
  const retired = kept.filter(({ value, active }) => active === false && wasActive(value))
  const offered = kept.filter(({ value, active }) => active !== false && !wasActive(value))
  return [
    added.length > 0 && `Choices added: ${labels(added)}`,
    gone.length > 0 && `Choices removed: ${labels(gone)}`,
    retired.length > 0 && `Choices retired: ${labels(retired)}`,
    offered.length > 0 && `Choices offered again: ${labels(offered)}`,
  ]
}

function titleOf({ type }: Field): string {
  return FIELD_TYPES[type].title
}

function isOff({ attrs }: Field): boolean {
  return attrs?.is_on === false
}
