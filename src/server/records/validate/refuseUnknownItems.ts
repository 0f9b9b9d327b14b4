import { sql } from 'kysely'
import type { Group } from '../../../contract/generated.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import type { ConditionContext, Values } from '../../../contract/when.ts'
import { prefixed, refuse } from '../../core/problems.ts'
import { choicesOf, type Item, type LookupCall, type LookupParams } from '../lookups/choices.ts'
import { type ChosenItem, chosenItems } from './chosenItems.ts'

interface ChosenAnswers {
  groups: Group[]
  /** All values after the change, including unchanged ones. */
  values: Values
  stored: Values
  /** Context for the parameters of lookups, besides the values. */
  conditionContext: ConditionContext
  /** Path of the values in the body, as a prefix of errors. */
  at?: string
}
interface LookupChoice extends ChosenItem {
  lookup: string
  /** True for a stored value or a field's default, which may be retired but must match the filters of the lookup. */
  mayBeRetired: boolean
}

/**
 * Rejects choices that their filtered list does not have, and retired ones. A stored choice is validated again
 * only if an answer that filters its list changed, and may then be retired; so may a field's default value.
 */
export async function refuseUnknownItems(call: LookupCall, options: ChosenAnswers): Promise<void> {
  const { groups, values, stored, conditionContext, at = '' } = options
  const before = new Map<string, Set<string>>()
  for (const old of chosenItems(groups, stored, conditionContext)) {
    const key = keyOf(old)
    before.set(key, (before.get(key) ?? new Set()).add(JSON.stringify(old.params)))
  }
  const errors: FieldErrors = {}
  const choices: LookupChoice[] = []
  for (const one of chosenItems(groups, values, conditionContext)) {
    const { field, path, value, params } = one
    const old = before.size > 0 ? before.get(keyOf(one)) : undefined
    if (old?.has(JSON.stringify(params))) continue
    const lookup = field.attrs?.options ? undefined : field.attrs?.lookup
    const mayBeRetired = old !== undefined || isDefault(one)
    if (lookup) choices.push({ ...one, lookup, mayBeRetired })
    else if (!mayBeRetired && field.attrs?.options?.find((o) => o.value === value)?.active === false)
      errors[path] = [`${field.label}: this choice is no longer offered`]
  }
  for (const { field, path } of await unknownOf(call, choices))
    errors[path] = [`${field.label} must be one of the choices`]
  refuse(prefixed(at, errors))
}

function isDefault({ field, value }: ChosenItem): boolean {
  const preset = field.attrs?.default
  return preset !== undefined && ([preset].flat() as unknown[]).includes(value)
}

/** Key of a choice by field and value, the same in all rows. */
function keyOf({ path, value }: ChosenItem): string {
  return `${path.replaceAll(/\.\d+\./g, '.')}=${value}`
}

async function unknownOf(call: LookupCall, choices: LookupChoice[]): Promise<LookupChoice[]> {
  const isPlain = ({ lookup, params }: LookupChoice) =>
    !call.choices &&
    !call.contract.lookups[lookup]?.from &&
    params !== undefined &&
    Object.keys(params).length === 0
  const plain = choices.filter(isPlain)
  const known = await knownOf(call, plain)
  const unknown = plain.filter(({ lookup, value, mayBeRetired }) => {
    const isActive = known.get(`${lookup}:${value}`)
    return isActive === undefined || !(isActive || mayBeRetired)
  })
  const groups = new Map<string, LookupChoice[]>()
  for (const one of choices.filter((w) => !isPlain(w))) {
    const key = JSON.stringify([one.lookup, one.params, one.mayBeRetired])
    if (!groups.get(key)?.push(one)) groups.set(key, [one])
  }
  for (const group of groups.values()) {
    const values = await validValues(call, group)
    unknown.push(...group.filter(({ value }) => !values.has(Number(value))))
  }
  return unknown
}

/** Items of unfiltered lookups by 'lookup:value', and whether they are active, in one query. */
async function knownOf({ db }: LookupCall, plain: LookupChoice[]): Promise<Map<string, boolean>> {
  if (plain.length === 0) return new Map()
  const [kinds, values] = [plain.map(({ lookup }) => lookup), plain.map(({ value }) => Number(value))]
  const { rows } = await sql<{
    kind: string
    value: number
    active: boolean
  }>`select l.kind, l.value, l.active from lookup l
    join unnest(${kinds}::text[], ${values}::int[]) as w(kind, value) using (kind, value)`.execute(db)
  return new Map(rows.map(({ kind, value, active }) => [`${kind}:${value}`, active]))
}

async function validValues(call: LookupCall, [first, ...others]: LookupChoice[]): Promise<Set<number>> {
  const { lookup, params, mayBeRetired } = first
  if (!params) return new Set()
  const filter: LookupParams = mayBeRetired ? { ...params, active: 'false' } : params
  const values = [first, ...others].map(({ value }) => Number(value))
  const items = await (call.choices?.(lookup, filter) ?? choicesOf(call, lookup, filter, values))
  const known = validIn[mayBeRetired ? 'all' : 'active']
  const valid =
    known.get(items) ??
    new Set(items.filter(({ active }) => mayBeRetired || active !== false).map(({ value }) => value))
  known.set(items, valid)
  return valid
}

/** Cached values of a list of choices, all and active ones: a job validates every row by the same list. */
const validIn = { all: new WeakMap<Item[], Set<number>>(), active: new WeakMap<Item[], Set<number>>() }
