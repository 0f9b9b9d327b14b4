import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { editableFields, isFree } from '../../../contract/entity.ts'
import type { Entity } from '../../../contract/generated.ts'
import { withHidden } from '../../../contract/hiddenRows.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { pick, type Values } from '../../../contract/when.ts'
import { enforceQuota } from '../../access/quotas.ts'
import { scoped } from '../../access/scope.ts'
import { ajvValidate } from '../../core/ajvValidate.ts'
import type { Call } from '../../core/call.ts'
import type { Row, Sql } from '../../core/db.ts'
import { prefixed, problem, refuse } from '../../core/problems.ts'
import { today } from '../../core/today.ts'
import type { ReplyOf } from '../../core/typedRows.ts'
import { translateSent } from '../answerMigrations/translateSent.ts'
import type { StoredSeenValues } from '../answersSeen/readOutside.ts'
import { invalidForAll, markFollowing, storedSeen } from '../answersSeen/seenOfRecord.ts'
import { type Changes, writeAuditEvent } from '../audit/audit.ts'
import { attachFiles } from '../files/attachFiles.ts'
import { answerChanges, hiddenValues, storedHidden } from '../hiddenAnswers/entries.ts'
import { assignments, keyOf, listsAsJson } from '../query/columns.ts'
import { applyEarlierVersions, fieldsOf } from '../validate/applyEarlierVersions.ts'
import { type Meta, refuseNoAnswers, versionsSince } from '../validate/meta.ts'
import { refuseUnknownItems } from '../validate/refuseUnknownItems.ts'
import { validateChange } from '../validate/validateBody.ts'
import { notifyOfChanges } from '../workNotices/notifyOfChanges.ts'
import { refuseConflict } from './conflict.ts'
import { lockCurrent } from './lockCurrent.ts'
import { fetchAny, withEmbedded } from './read.ts'

/**
 * Changes the keys that were sent. With a `version`, keys that others changed since are a conflict; without, the last
 * write wins. Answers are merged by name and validated by the case type's current meta; those that are hidden now move
 * to `hidden_answers`. `case_type_version` is the version of the form that was filled in: with it hidden answers come
 * back, and answers that a newer version hides are stored too. With `isLatest`, the values from outside that the
 * answers were given with are read again.
 */
export async function update<E extends Entity>(
  call: Call,
  entity: E,
  { isLatest = false } = {},
): Promise<ReplyOf<E>> {
  const { version, ...body } = call.body
  const { case_type_version: formVersion, ...withoutVersion } = body
  const written: Values = hasAnswers(entity) ? withoutVersion : body
  if (hasAnswers(entity)) refuseNoAnswers(written.answers ?? undefined)
  const { row, meta } = hasAnswers(entity)
    ? await lockCurrent(call, entity, lockOf(call, entity), { isLatest })
    : { row: await lock(call, entity), meta: undefined }
  const translated =
    meta && written.answers
      ? await translateSent(call.db, meta, written.answers as Values, formVersion)
      : undefined
  // Fields that follow from what the caller may not see are not on their form.
  const sent =
    meta && translated
      ? { ...written, answers: pick(translated, (name) => !meta.seen.withheld.has(name)) }
      : written
  await refuseConflict(call, entity, row, sent, version, meta?.groups)
  const changes: Changes = {}
  const columns = await validateChange(call, entity, row, sent, meta?.contextOf(row))
  await enforceQuota(call, entity, { ...row, ...columns }, row.id)
  for (const [name, value] of Object.entries(columns))
    changes[name] = changeOf(entity, name, row[name], value)
  await attachFiles(
    call,
    { entity: entity.$id, record: Number(row.id), at: '' },
    editableFields(entity),
    { ...row, ...columns },
    row,
  )
  // Another council area may have other bank holidays.
  const isRecalculated = meta?.usesCalendar === true && columns.council_area !== undefined
  const sentAnswers = (sent.answers ?? (isRecalculated || isLatest ? {} : undefined)) as Values | undefined
  const answers =
    meta &&
    sentAnswers &&
    (await changeAnswers(
      call,
      entity,
      { row, columns },
      sentAnswers,
      { ...meta, formVersion, isLatest },
      changes,
    ))
  const isChanged = Object.keys(changes).length > 0
  const storing =
    isChanged && store(call, entity, row, { ...columns, ...(answers as Row | undefined) }, changes)
  const notifying =
    isChanged &&
    entity.automations &&
    notifyOfChanges({ ...call, by: call.me.id }, entity.$id, [{ before: row, after: { ...row, ...columns } }])
  // Pipelined after the update, so without a round trip; unscoped, because the change may end the caller's access.
  const [, , changed] = await Promise.all([storing, notifying, fetchAny(call, entity, call.params.id)])
  return withEmbedded(call, entity, changed)
}

async function lock(call: Call, entity: Entity): Promise<Row> {
  const { rows } = await sql<Row>`select r.* ${lockOf(call, entity)}`.execute(call.db)
  if (!rows[0]) throw problem('notFound')
  return rows[0]
}

function lockOf({ me, params }: Call, entity: Entity): Sql {
  return sql`from ${sql.table(entity.table!)} r
    where ${sql.ref(`r.${keyOf(entity)}`)} = ${params.id} and ${scoped(entity, me)} for update of r`
}

async function changeAnswers(
  call: Call,
  entity: Entity,
  { row, columns }: { row: Row; columns: Row },
  sent: Values,
  meta: Meta & { formVersion: unknown; isLatest: boolean },
  changes: Changes,
) {
  const { groups, version } = meta
  const { withheld } = meta.seen
  const { holidays } = meta.contextOf({ ...row, ...columns })
  const conditionContext = { ...meta.contextOf(row), holidays }
  const before = { answers: row.answers as Values, hidden: hiddenValues(row.hidden_answers) }
  const stored = withHidden(before.answers, before.hidden)
  const options = {
    groups,
    stored: before.answers,
    hidden: before.hidden,
    bringsBack: meta.formVersion !== undefined,
    sent,
    conditionContext,
    validateSchema: ajvValidate,
    today: today(call.settings.TIME_ZONE),
  }
  const versions = await versionsSince(call, meta, meta.formVersion)
  const { values, visibleValues, hidden, hiddenByChange, errors, invalid, earlier } =
    await applyEarlierVersions(options, versions, nextTurn)
  // The latest values may reveal questions, whose answers are missing until somebody gives them.
  if (!meta.isLatest) refuse(prefixed('answers', errorsOutside(withheld, errors)))
  for (const form of [{ groups, values: visibleValues }, ...earlier])
    await refuseUnknownItems(call, { ...form, stored, conditionContext, at: 'answers' })
  const owner = { entity: entity.$id, record: Number(row.id), at: 'answers' }
  await attachFiles(call, owner, fieldsOf(groups, earlier), withHidden(values, hidden), stored)
  const changed = answerChanges(before, { answers: values, hidden })
  const answers_seen = storedSeen(groups, meta.seen.values)
  if (meta.isLatest && !isEqual(answers_seen, row.answers_seen))
    changed.answers_seen = { from: null, to: null }
  if (Object.keys(changed).length === 0) return {}
  markFollowing(changed, row.answers_seen as StoredSeenValues, answers_seen)
  Object.assign(changes, changed)
  return {
    answers: values,
    answers_seen,
    hidden_answers: storedHidden(row.hidden_answers, hidden, (name) =>
      hiddenByChange.has(name) ? { by: call.me.id } : { version },
    ),
    invalid_fields: invalidForAll(groups, invalid),
    validated_version: version,
    counted_version: version,
    case_type_version: version,
  }
}

/** The errors of fields that do not follow from what the caller may not see. */
function errorsOutside(withheld: ReadonlySet<string>, errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => !withheld.has(path.split('.')[0])))
}

function store(call: Call, entity: Entity, row: Row, columns: Row, changes: Changes) {
  const version = Number(row.version) + 1
  const stamped = { ...columns, version, ...('updated_at' in row && { updated_at: new Date() }) }
  const record = Number(call.params.id)
  return Promise.all([
    sql`update ${sql.table(entity.table!)} set ${assignments(listsAsJson(entity, stamped))}
      where ${sql.ref(keyOf(entity))} = ${record}`.execute(call.db),
    writeAuditEvent(call, { action: 'update', entity: entity.$id, record, version, changes }),
  ])
}

/** The audited change of a field. Private values are left out, because they would stay in the audit. */
function changeOf(entity: Entity, name: string, from: unknown, to: unknown): Changes[string] {
  return entity.scope === 'own' || isFree(entity, name)
    ? { from: null, to: null }
    : { from: from ?? null, to }
}

function hasAnswers({ properties }: Entity): boolean {
  return Object.values(properties).some((p) => p.meta)
}
