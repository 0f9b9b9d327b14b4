import { sql } from 'kysely'
import { normaliseLong } from '../../../contract/normalise.ts'
import { afterReply } from '../../core/afterReply.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { publishPictures } from '../../records/files/notePictures.ts'
import { revalidateRecords } from '../../records/validate/revalidateRecords.ts'
import { fetch } from '../../records/verbs/read.ts'
import { evaluateLeft, noteCaseType } from '../automations/evaluateLeft.ts'
import { caseTypeDraftOf, draftConflict, emptyDraft, lastAuthor, publishedConflict } from './caseTypeDraft.ts'
import { type CaseTypeParts, PART_COLUMNS, partValues } from './caseTypeParts.ts'
import { countAnswers } from './countAnswers.ts'
import { followComments } from './followComments.ts'
import { indexAnswers } from './indexAnswers.ts'
import { hasMoves, type PlannedMigration, planMigration } from './planMigration.ts'
import { workOnMigrations } from './workOnMigrations.ts'

/** Keys of a publication that are not part of the case type. */
export const PUBLICATION_KEYS = ['note', 'publish_anyway', 'fire_events']

interface Publication {
  label: string
  parts: CaseTypeParts
  /** Why it is published although tests fail; '' if none does. */
  anyway: string
  /** Answers that the version takes along. */
  migration?: PlannedMigration
}

/** Stores a change of the path's case type as its next version, and lets everything that depends on it follow. */
export async function publish(
  call: Call,
  before: CaseTypeParts & { version: number },
  { label, parts, anyway, migration }: Publication,
): Promise<void> {
  const { db, params } = call
  const id = Number(params.id)
  await lockCaseType(call, before.version)
  await followComments(call, parts)
  await sql`update case_types set label = ${label}, (${PART_COLUMNS}) = row(${partValues(parts)}), version = version + 1, updated_at = now() where id = ${id}`.execute(
    db,
  )
  await publishPictures(call, id, parts)
  await saveVersion(call, before.version + 1, anyway)
  if (migration && hasMoves(migration)) await planMigration(call, before.version + 1, migration)
  if ([parts, before].some(({ automations, deadlines }) => automations.length + deadlines.length > 0))
    await noteCaseType(db, id, firesEvents(call, parts))
  revalidateAfterPublish(call)
}

/** Stores the published forms as a version, and empties the draft. */
export async function saveVersion(call: Call, version: number, anyway: string): Promise<void> {
  const { db, me, params } = call
  await sql`insert into case_type_versions
      (case_type, version, label, ${PART_COLUMNS}, author, note, published_anyway)
    select id, version, label, ${PART_COLUMNS}, ${me.id}, ${noteOf(call)}, ${anyway} from case_types where id = ${params.id}`.execute(
    db,
  )
  // Also notifies open pages of the publication.
  await emptyDraft(call)
  await writeAuditEvent(call, {
    action: 'publish',
    entity: 'caseType',
    record: Number(call.params.id),
    version,
    ...(anyway && { changes: { published_anyway: { from: null, to: anyway } } }),
  })
}

/**
 * Moves and indexes answers, revalidates records with the new version, evaluates their automations and counts their
 * answers; if this server stops, the hourly job continues.
 */
function revalidateAfterPublish(call: Call): void {
  const { request, settings, contract } = call
  afterReply(call, async (db) => {
    await workOnMigrations({ db, log: request.log, ending: request.server.ending })
    await indexAnswers({ db, ending: request.server.ending })
    const startedAt = performance.now()
    const validated = await revalidateRecords({
      db,
      timeZone: settings.TIME_ZONE,
      bankHolidays: settings.BANK_HOLIDAYS,
      ending: request.server.ending,
    })
    request.log.info(
      { id: request.id, validated, ms: Math.round(performance.now() - startedAt) },
      'records revalidated',
    )
    await evaluateLeft({ db, contract, log: request.log, settings, ending: request.server.ending })
    await countAnswers({ db, ending: request.server.ending })
  })
}

/**
 * Locks a case type. Saves of its records wait for the lock, so it is taken only after the publication was validated,
 * which takes seconds on a large database. Throws a conflict if somebody published or changed the draft meanwhile.
 */
async function lockCaseType(call: Call, version: number): Promise<void> {
  const { rows } = await sql<{ version: number }>`select version from case_types
    where id = ${call.params.id} for no key update`.execute(call.db)
  await refuseStale(call, rows[0]?.version, version)
}

/** Throws a conflict if a publication is not based on the published version, or its `rev` is not that of the draft. */
export async function refuseStale(
  call: Call,
  published: number | undefined,
  basedOn: unknown,
): Promise<void> {
  if (basedOn !== undefined && basedOn !== published) {
    const current = await fetch(call, call.contract.entities.caseType, call.params.id)
    throw publishedConflict(current, await caseTypeDraftOf(call), await lastAuthor(call))
  }
  const { rev } = call.body
  if (rev === undefined) return
  const current = await caseTypeDraftOf(call)
  if (current.rev !== rev) throw draftConflict(current)
}

/**
 * The names of the automations that notify and plan steps for the records in which they hold from now on; true for all.
 */
function firesEvents({ body: { fire_events = [] } }: Call, { automations }: CaseTypeParts): true | string[] {
  if (typeof fire_events === 'boolean') return fire_events || []
  const names = automations.map(({ name }) => name)
  if (Array.isArray(fire_events) && fire_events.every((one) => names.includes(one))) return fire_events
  throw fieldProblem({ fire_events: ['must be true, false or a list of names of automations'] })
}

/** The author's note on why this version is published. */
function noteOf({ body }: Call): string {
  if (body.note === undefined || body.note === null) return ''
  if (typeof body.note !== 'string' || body.note.length > 500)
    throw fieldProblem({ note: ['Note must have at most 500 characters'] })
  return normaliseLong(body.note)
}
