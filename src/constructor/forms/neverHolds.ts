import type { ItemLabel } from '../../contract/describeAnswer.ts'
import type { Field } from '../../contract/generated.ts'
import { describeTest } from '../../contract/meta/describeCondition.ts'
import { quoted, shortened } from '../../contract/quoted.ts'
import { isElsewhere, type Test, type When } from '../../contract/when.ts'
import type { FieldLookup, Item } from './nodes.ts'
import { needsValue, possible } from './possible.ts'

/** A condition with its field lookup; `of` is the field that it belongs to, if not the examined one. */
export interface Source {
  when: When | undefined
  lookUp: FieldLookup
  of?: Field
}
/** Results about the fields of a meta so far. */
export interface Facts {
  isOff: (item: Item) => boolean
  isNever: (item: Item) => boolean
  /** The conditions that must hold for a field to be visible. */
  conditionsOf: (field: Field) => Source[]
  itemLabel?: ItemLabel
}
interface Entry {
  path: string
  field: Field | undefined
  test: Test
  of?: Field
  lookUp: FieldLookup
}
type Known = (key: Field | string) => Entry[]

/** Beyond this many tests, assume that a condition may hold. */
const MAX_TESTS = 50
/** With more tests than this, the conditions of the fields that they refer to are left out. */
const MAX_TESTS_WITH_FIELDS = 10

/**
 * Explains why several conditions can never hold together; undefined if they may. Includes the conditions of a
 * field that must have a value, one level deep.
 */
export function neverHolds(sources: Source[], facts: Facts, around: Known = () => []): string | undefined {
  const entries = sources.flatMap(entriesOf)
  const expanded = entries.length > MAX_TESTS_WITH_FIELDS ? [] : entries
  const implied = expanded.flatMap(({ path, field, test }) =>
    field && path === field.name && needsValue(test)
      ? facts.conditionsOf(field).flatMap((s) => entriesOf({ ...s, of: field }))
      : [],
  )
  const byKey = new Map<Field | string, Entry[]>()
  for (const entry of [...entries, ...implied]) {
    const key = entry.field && entry.path === entry.field.name ? entry.field : entry.path
    const list = byKey.get(key)
    if (list) list.push(entry)
    else byKey.set(key, [entry])
  }
  const known: Known = (key) => [...around(key), ...(byKey.get(key) ?? [])]
  for (const [key, own] of byKey) {
    // Contradictions among another field's own conditions are reported at that field.
    if (own.every((e) => e.of && e.of === own[0].of)) continue
    const why = contradictionIn(known(key), facts)
    if (why) return why
  }
  for (const { when, lookUp, of } of sources) {
    const branches = when?.any?.map((one) => neverHolds([{ when: one, lookUp, of }], facts, known))
    if (branches?.every((why) => why !== undefined)) {
      const why = branches[0] ?? 'there is none'
      return branches.length > 1 ? `none of its alternatives can hold (${why})` : why
    }
  }
  return undefined
}

/** True if a condition has at most MAX_TESTS tests, including alternatives. */
export function isSimple(when: When): boolean {
  let left = MAX_TESTS
  const walk = (one: When): boolean =>
    Object.entries(one).every(([path, test]) =>
      --left < 0 ? false : path !== 'any' || (test as When[]).every(walk),
    )
  return walk(when)
}

function entriesOf({ when, lookUp, of }: Source): Entry[] {
  return Object.entries(when ?? {}).flatMap(([path, test]) => {
    const field = lookUp(path)
    const isCertain = path !== 'any' && (field !== undefined || isElsewhere(path))
    return isCertain ? [{ path, field, test: test as Test, of, lookUp }] : []
  })
}

function contradictionIn(entries: Entry[], facts: Facts): string | undefined {
  const [{ path, field }] = entries
  const isOff = field !== undefined && facts.isOff(field)
  const isVisible = !isOff && !(field && facts.isNever(field))
  const tests = entries.map((e) => e.test)
  const domain = field && path === field.name ? field : undefined
  if (possible(tests, domain, isVisible)) return undefined
  if (field && !isVisible && possible(tests, domain)) {
    return `${quoted(field.label, field.name)} ${isOff ? 'is switched off' : 'can never be shown'}`
  }
  const alone = entries.find((e) => !possible([e.test], domain))
  if (alone) return `"${wordsOf(alone, facts)}" is never true`
  const quotedTests = [
    ...new Set(entries.map((e) => `"${wordsOf(e, facts)}"${e.of ? ` (for ${quoted(e.of.label)})` : ''}`)),
  ]
  return `${quotedTests.slice(0, 3).join(' and ')} exclude each other`
}

function wordsOf(entry: Entry, { itemLabel }: Facts): string {
  return shortened(describeTest(entry, itemLabel))
}
