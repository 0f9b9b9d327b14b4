import { editableFields } from '../../../contract/entity.ts'
import { compareKey, normaliseValues } from '../../../contract/fieldTypes.ts'
import type { Entity, Field, Group } from '../../../contract/generated.ts'
import { withHidden } from '../../../contract/hiddenRows.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import { isPlainObject, isSet, type Values } from '../../../contract/when.ts'
import { seesOwnOnly } from '../../access/callerRights.ts'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import { isAnswered } from '../answerMigrations/pendingMigrations.ts'
import { changeTranslation, translateRecorded } from '../answerMigrations/translateChanges.ts'
import { changesSince, type RecordedChange } from '../audit/audit.ts'
import { hiddenValues } from '../hiddenAnswers/entries.ts'
import { fetch, withEmbedded } from './read.ts'

/**
 * Throws a 409 `{code: conflict, fields: {f: {base, mine, theirs, by, at}}, current}` if others changed a sent key
 * since `version`. `groups` are those of the form, by whose names the answers are compared.
 */
export async function refuseConflict(
  call: Call,
  entity: Entity,
  row: Row,
  sent: Values,
  version: unknown,
  groups: Group[] = [],
): Promise<void> {
  if (version === undefined || version === row.version) return
  if (typeof version !== 'number') throw fieldProblem({ version: ['Version must be a whole number'] })
  const recorded = await changesSince(call, entity.$id, Number(call.params.id), version)
  const { $id } = entity
  const changes = isAnswered($id)
    ? translateRecorded(recorded, await changeTranslation(call.db, $id, call.params.id))
    : recorded
  const fields = conflictsOf(
    normalisedBy(entity, groups, sent),
    row,
    seesOwnOnly(call.me) ? changes.map(withoutOthers(call.me.id)) : changes,
    keyBy(entity, groups),
  )
  if (Object.keys(fields).length === 0) return
  const current = await withEmbedded(call, entity, await fetch(call, entity, call.params.id))
  throw problem('conflict', { fields, current })
}

/** What was sent as it would be stored, so that a spelling is no conflict. */
function normalisedBy(entity: Entity, groups: Group[], { answers, ...sent }: Values): Values {
  const own = normaliseValues(editableFields(entity), sent)
  if (!isPlainObject(answers)) return answers === undefined ? own : { ...own, answers }
  const fields = groups.flatMap((group) => group.fields)
  return { ...own, answers: normaliseValues(fields, answers) }
}

/** Compares values by the key of their field, named as in the audit. */
type KeyOf = (name: string, value: unknown) => unknown

function keyBy(entity: Entity, groups: Group[]): KeyOf {
  const answers = groups.flatMap((group) =>
    group.fields.map((field) => [`answers.${field.name}`, field] as const),
  )
  return keysOf(new Map([...editableFields(entity).map((field) => [field.name, field] as const), ...answers]))
}

/** Compares values by the keys of some fields, by their names. */
export function keysOf(fields: Map<string, Field>): KeyOf {
  return (name, value) => {
    const field = fields.get(name)
    return field ? compareKey(field, value) : value
  }
}

/** Hides who made a change and what it replaced, from callers who see only their own events of a record's history. */
function withoutOthers(me: number) {
  return (change: RecordedChange): RecordedChange => {
    if (change.staff === me) return change
    const fields = Object.entries(change.fields).map(([name, { to }]) => [name, { from: null, to }])
    return { ...change, by: 'Somebody else', fields: Object.fromEntries(fields) }
  }
}

/**
 * The sent keys that others changed to another value, whatever its spelling, with base, own and current value. An
 * answer has the same value while it is hidden, so hiding it or bringing it back is no change of it.
 */
export function conflictsOf(
  sent: Values,
  row: Row,
  changes: RecordedChange[],
  keyOf: KeyOf,
): Record<string, { base: unknown }> {
  const mine = flat(sent)
  const now = flat({ ...row, answers: allAnswers(row) })
  const fields: Record<string, { base: unknown; [key: string]: unknown }> = {}
  for (const change of changes) {
    for (const [changedName, { from, to, moved }] of Object.entries(change.fields)) {
      const name = changedName.replace(/^hidden_answers\./, 'answers.')
      if (moved) continue
      const theirs = now[name] ?? null
      // If others only corrected the spelling, that is no change.
      if (isSet(from) && isEqual(keyOf(name, from), keyOf(name, to))) continue
      if (!(name in mine) || isEqual(keyOf(name, mine[name]), keyOf(name, theirs))) continue
      const base = name in fields ? fields[name].base : from
      fields[name] = { base, mine: mine[name], theirs, by: change.by, at: change.at }
    }
  }
  return fields
}

/** The answers of a record that count, and hidden ones. */
function allAnswers({ answers, hidden_answers }: Row): Values | undefined {
  if (!isPlainObject(answers)) return undefined
  return withHidden(answers, hiddenValues(hidden_answers))
}

/** Flattens a record to the keys of the audit ('answers.ward'). */
function flat({ answers, ...rest }: Values): Values {
  const inside = Object.entries((answers ?? {}) as Values).map(([name, value]) => [`answers.${name}`, value])
  return { ...rest, ...Object.fromEntries(inside) }
}
