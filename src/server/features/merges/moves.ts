import { sql } from 'kysely'
import { pluralise } from '../../../contract/pluralise.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { MOVED_WITH_CASE } from '../../records/merged/caseReferences.ts'
import { MOVED_WITH_CLIENT } from '../../records/merged/clientReferences.ts'
import type { Mergeable } from '../../records/merged/mergedRecords.ts'
import type { Undo } from './moveRows.ts'

/** Rows of one table that move: how many, and what they are called. */
export interface Move {
  id: string
  count: number
  noun: string
}

/** What stays if a merge is undone, in words. */
export interface Stay {
  id: string
  label: string
}

/** Rows that move with a client or case, as people count them. */
interface Counted {
  table: string
  noun: string
  /** Undefined: everybody who sees the client sees them. */
  scope?: string
  /** The condition for those that are open, if only these are counted among what moves. */
  open?: Sql
  /** True if rows are computed from others, so that nobody adds them. */
  isComputed?: true
  /** True if a row can be entered in error, which is not counted. */
  mayBeError?: true
}

const COUNTED: Counted[] = [
  { table: 'cases', noun: 'case', scope: 'case' },
  { table: 'issues', noun: 'issue', scope: 'issue' },
  { table: 'actions', noun: 'action', scope: 'action', mayBeError: true },
  { table: 'tasks', noun: 'task', scope: 'task', open: sql`r.done_at is null`, mayBeError: true },
  { table: 'deadlines', noun: 'deadline', scope: 'deadline', open: sql`r.is_open`, isComputed: true },
  { table: 'risks', noun: 'risk' },
  { table: 'communication_issues', noun: 'communication issue' },
  { table: 'signposts', noun: 'signposting entry', scope: 'signpost', mayBeError: true },
  { table: 'referral_requests', noun: 'referral', scope: 'clientReferral' },
]

const MOVED = { client: MOVED_WITH_CLIENT, case: MOVED_WITH_CASE }

/** What moves with a record, as far as the caller sees it. */
export async function movesOf(call: Call, entity: Mergeable, id: number): Promise<Move[]> {
  const { db, me } = call
  const ofTables = COUNTED.flatMap((counted) => {
    const columns = MOVED[entity].filter(({ table }) => table === counted.table).map(({ column }) => column)
    if (columns.length === 0) return []
    const refers = sql`${id} in (${sql.join(columns.map((column) => sql.ref(`r.${column}`)))})`
    const from = sql`${sql.table(counted.table)} r where ${refers} and ${counted.open ?? sql`true`}`
    const noun = counted.open ? `open ${counted.noun}` : counted.noun
    return [{ id: counted.table, noun, from: sql`${from} and ${isCounted(call, counted)}` }]
  })
  const documents = sql`issue_documents d join issues r on r.id = d.issue
    where ${sql.ref(`r.${entity}`)} = ${id} and d.error_reason is null and ${visibleTo('issue', me, 'r')}`
  const all = [...ofTables, { id: 'issue_documents', noun: 'document', from: documents }]
  const columns = all.map(
    ({ id: name, from }) => sql`(select count(*)::int from ${from}) as ${sql.ref(name)}`,
  )
  const { rows } = await sql<Record<string, number>>`select ${sql.join(columns)}`.execute(db)
  return all.map(({ id: name, noun }) => ({ id: name, noun, count: rows[0][name] }))
}

/**
 * What was added to the record that remains since another one was merged into it, as far as the caller sees it: neither
 * what moved nor what is below another record.
 */
export async function addedSince(
  call: Call,
  entity: Mergeable,
  { at, undo: { into, moved } }: { at: Date; undo: Undo },
): Promise<Stay[]> {
  const [{ table: first }] = MOVED[entity]
  const added = COUNTED.filter(({ isComputed }) => !isComputed).flatMap((counted) => {
    const references = MOVED[entity].filter(({ table }) => table === counted.table)
    if (references.length === 0) return []
    const isAdded = references.map(({ table, column, below }) => {
      const isOwn = below ? sql`${sql.ref(`r.${below}`)} is null` : sql`true`
      return sql`(${sql.ref(`r.${column}`)} = ${into} and ${isOwn}
        and r.id <> all(${moved[`${table}.${column}`] ?? []}::int[]))`
    })
    const from = sql`${sql.table(counted.table)} r where (${sql.join(isAdded, sql` or `)})
      and r.created_at > ${at} and ${isCounted(call, counted)}`
    const where = entity === 'case' && counted.table !== first ? ' on the case' : ''
    return [{ id: counted.table, noun: counted.noun, where, from }]
  })
  const columns = added.map(({ id, from }) => sql`(select count(*)::int from ${from}) as ${sql.ref(id)}`)
  const { rows } = await sql<Record<string, number>>`select ${sql.join(columns)}`.execute(call.db)
  return added
    .filter(({ id }) => rows[0][id] > 0)
    .map(({ id, noun, where }) => ({ id, label: `${pluralise(rows[0][id], noun)}${where}, added since` }))
}

/** How many rows of a table move: '2 cases'. */
export function labelOf(table: string, moves: Move[]): string {
  const { count, noun } = moves.find(({ id }) => id === table)!
  return pluralise(count, noun)
}

/** The condition for rows that the caller sees and that are not entered in error. */
function isCounted({ me }: Call, { scope, mayBeError }: Counted): Sql {
  return sql`${scope ? visibleTo(scope, me, 'r') : sql`true`} and ${mayBeError ? sql`r.error_reason is null` : sql`true`}`
}
