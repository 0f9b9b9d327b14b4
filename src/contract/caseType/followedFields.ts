import type { Field, Group } from '../generated.ts'
import { isEqual } from '../isEqual.ts'

/**
 * Maps the key of each field ('family.phone') to its key in the next state of the form, which differs if it was
 * renamed. Removed fields are missing.
 */
export function followedFields(before: Group[], after: Group[]): Map<string, string> {
  const [was, is] = [before, after].map((groups) => groups.flatMap(({ fields }) => fields))
  return new Map(followedIn(was, is, '', ''))
}

function* followedIn(before: Field[], after: Field[], from: string, to: string): Generator<[string, string]> {
  const known = new Set(before.map(({ name }) => name))
  const added = after.filter(({ name }) => !known.has(name))
  const now = new Map(after.map((field) => [field.name, field]))
  const missing = before.filter(({ name }) => !now.has(name))
  for (const field of before) {
    const next = now.get(field.name) ?? renamed(field, added, missing.length === 1)
    if (!next) continue
    yield [from + field.name, to + next.name]
    const [fromRow, toRow] = [`${from}${field.name}.`, `${to}${next.name}.`]
    yield* followedIn(field.fields ?? [], next.fields ?? [], fromRow, toRow)
  }
}

/** The added field that takes its answers, equals it but for its name, or is the only other one of its type. */
function renamed(field: Field, added: Field[], isAlone: boolean): Field | undefined {
  const [only] = added
  return (
    added.find(({ attrs }) => attrs?.takes?.from === field.name) ??
    added.find((one) => isEqual(withoutName(one), withoutName(field))) ??
    (isAlone && added.length === 1 && only.type === field.type ? only : undefined)
  )
}

function withoutName({ name: _, attrs, ...field }: Field) {
  const { takes: __, ...others } = attrs ?? {}
  return { ...field, attrs: others }
}
