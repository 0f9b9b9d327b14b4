import { sql } from 'kysely'
import { compareKey, FIELD_TYPES } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import { isPlainObject, isSet, type Values } from '../../../contract/when.ts'
import type { Db } from '../../core/db.ts'
import { fieldProblem } from '../../core/problems.ts'

export type Choice = 'mine' | 'theirs' | 'both'

/** A field that differs: what is chosen beforehand and why. */
export interface Difference {
  field: Field
  mine: unknown
  theirs: unknown
  /** The value of both together; undefined if one must be chosen. */
  both?: unknown
  choice: Choice | null
  reason: string | null
}

/** What identifies a person, and what they have consented to: chosen by people only. */
const NEVER_CHOSEN = /consent|^(dob|dod|nhs_number)$/
/** Names are not better for being newer: a misspelt record is often the later one. */
const NAMES = /^(first|last)_name$/

/** A record with its fields, by their paths in the audit. */
export interface Compared {
  entity: string
  id: number
  created_at: Date | null
  values: Values
}

/** The fields of two records that differ. A value that is only spelled differently is the same. */
export async function differencesOf(
  db: Db,
  fields: readonly Field[],
  mine: Compared,
  theirs: Compared,
): Promise<Difference[]> {
  const [mineAt, theirsAt] = await Promise.all([mine, theirs].map((one) => changedAt(db, one)))
  return fields.flatMap((field) => {
    const [a, b] = [mine, theirs].map(({ values }) => values[field.name] ?? null)
    if (isEqual(compareKey(field, a), compareKey(field, b))) return []
    const at = (times: Map<string, string>, { created_at }: Compared) =>
      times.get(field.name) ?? created_at?.toISOString() ?? ''
    const isNewer = at(theirsAt, theirs) > at(mineAt, mine)
    return [{ field, mine: a, theirs: b, both: bothOf(field, a, b), ...chosenOf(field, a, b, isNewer) }]
  })
}

function chosenOf(
  field: Field,
  mine: unknown,
  theirs: unknown,
  isNewer: boolean,
): Pick<Difference, 'choice' | 'reason'> {
  if (!isSet(theirs)) return { choice: 'mine', reason: 'only one' }
  if (!isSet(mine)) return { choice: 'theirs', reason: 'only one' }
  if (NEVER_CHOSEN.test(field.name)) return { choice: null, reason: null }
  if (bothOf(field, mine, theirs) !== undefined) return { choice: 'both', reason: null }
  return isNewer && !NAMES.test(field.name)
    ? { choice: 'theirs', reason: 'newer' }
    : { choice: 'mine', reason: null }
}

/** Two lists as one, and two long texts below one another; undefined for other values. */
function bothOf(field: Field, mine: unknown, theirs: unknown): unknown {
  if (!isSet(mine) || !isSet(theirs)) return undefined
  if (Array.isArray(mine) && Array.isArray(theirs)) {
    const added = theirs.filter((one) => !mine.some((other) => isEqual(withoutId(other), withoutId(one))))
    return [...mine, ...added.map((one) => withNewId(one, mine))]
  }
  const text = `${mine}\n\n${theirs}`
  const isLong = FIELD_TYPES[field.type].isMultiline && field.name !== 'address'
  return isLong && text.length <= (field.attrs?.max_length ?? 0) ? text : undefined
}

function withoutId(item: unknown): unknown {
  return isPlainObject(item) ? { ...item, row: undefined } : item
}

/** A row of a list, with a new id if another row has its id. */
function withNewId(item: unknown, others: unknown[]): unknown {
  if (!isPlainObject(item)) return item
  const isTaken = (id: unknown) => others.some((other) => isPlainObject(other) && other.row === id)
  let row = item.row
  while (row !== undefined && isTaken(row)) row = `${row}m`
  return { ...item, ...(row !== undefined && { row }) }
}

/**
 * When each field of a record was changed last (ISO), by the audit, which has the monitoring of a case as its own
 * entity.
 */
async function changedAt(db: Db, { entity, id }: Compared): Promise<Map<string, string>> {
  const entities = entity === 'case' ? ['case', 'caseMonitoring'] : [entity]
  const { rows } = await sql<{ field: string; at: Date }>`
    select case a.entity when 'caseMonitoring' then 'monitoring.' else '' end || k as field, max(a.at) as at
    from audit a, jsonb_object_keys(a.changes) k
    where a.entity = any(${entities}::text[]) and a.record = ${id} and a.changes is not null group by 1`.execute(
    db,
  )
  return new Map(rows.map(({ field, at }) => [field, at.toISOString()]))
}

/** The changed fields of the record that remains by the choices of a person; each difference needs one. */
export function chosenColumns(differences: Difference[], choices: unknown): Values {
  const errors: Record<string, string[]> = {}
  const columns: Values = {}
  for (const { field, theirs, both } of differences) {
    const choice =
      isPlainObject(choices) && Object.hasOwn(choices, field.name) ? choices[field.name] : undefined
    if (choice === 'theirs') columns[field.name] = theirs
    else if (choice === 'both' && both !== undefined) columns[field.name] = both
    else if (choice !== 'mine')
      errors[`choices.${field.name}`] = [`Choose one for ${field.label.toLowerCase()}`]
  }
  if (Object.keys(errors).length > 0) throw fieldProblem(errors)
  return columns
}
