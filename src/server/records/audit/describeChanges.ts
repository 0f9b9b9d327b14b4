import { sql } from 'kysely'
import type { Field, Group, Property } from '../../../contract/generated.ts'
import type { MetaName } from '../../../contract/meta/metaTypes.ts'
import type { Chronology } from '../../../contract/types/entities.ts'
import { scoped } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { keyOf } from '../query/columns.ts'
import type { Changes } from './audit.ts'
import { type DescribedChange, describeChangeLists, namedField } from './describeChangeLists.ts'

interface Metas {
  case: Group[]
  issue: Group[]
}

/** A row of the audit; its changes are as they are stored. Without a name its entity is that of a person's history. */
type AuditRow = Partial<Pick<Chronology, 'entity' | 'record' | 'case'>> & { changes: unknown }

/** Formats the changes of audit rows, in their order, with the labels of the published case type. */
export async function describeChanges(call: Call, rows: AuditRow[]): Promise<DescribedChange[][]> {
  const metas = await metasOf(call, rows)
  const fieldIn = (path: string, row: AuditRow) => fieldAt(call, row, path, metas)
  const isSensitive = (path: string, row: AuditRow) => fieldIn(path, row).attrs?.sensitive === true
  const hidden = await hiddenRecords(
    call,
    rows.filter((row) => Object.keys(changesOf(row)).some((path) => isSensitive(path, row))),
  )
  const described = await describeChangeLists(call, rows.map(changesOf), (path, i) => fieldIn(path, rows[i]))
  return described.map((list, i) =>
    list.map((one) =>
      hidden.has(rows[i]) && isSensitive(one.field, rows[i]) ? { ...one, from: '', to: 'changed' } : one,
    ),
  )
}

function changesOf({ changes }: AuditRow): Changes {
  return (changes ?? {}) as Changes
}

async function metasOf({ db }: Call, rows: AuditRow[]): Promise<Map<unknown, Metas>> {
  const answerRows = rows.filter(({ changes }) =>
    Object.keys(changes ?? {}).some((path) => answerIn(path) !== undefined),
  )
  if (answerRows.length === 0) return new Map()
  const { rows: found } = await sql<Metas & { id: number }>`
    select k.id, t.case_meta || ${movedFields('case_meta')} as "case", t.issue_meta || ${movedFields('issue_meta')} as issue
    from cases k join case_types t on t.id = k.case_type
    where k.id = any(${answerRows.map((row) => row.case)}::int[])`.execute(db)
  return new Map(found.map((one) => [one.id, one]))
}

/** A group of the fields whose answers other fields of the case type t have taken over, as they were. */
function movedFields(meta: MetaName): Sql {
  return sql`(select coalesce(jsonb_agg(jsonb_build_object('fields', moved.fields)), '[]') from (
    select jsonb_agg(m -> 'was' order by a.version desc) as fields
    from answer_migrations a, jsonb_array_elements(a.${sql.ref(meta)}) m where a.case_type = t.id) moved where fields is not null)`
}

/** The name of the answer at a path in the audit. */
function answerIn(path: string): string | undefined {
  return path.match(/^(?:hidden_)?answers\.(.*)$/)?.[1]
}

/** The field of a path in the audit; a removed field is labelled with its name. */
function fieldAt({ contract }: Call, row: AuditRow, path: string, metas: Map<unknown, Metas>): Field {
  const { entity = '' } = row
  const answer = answerIn(path)
  if (answer) {
    const groups = metas.get(row.case)?.[entity as keyof Metas] ?? []
    const field = groups.flatMap((g) => g.fields).find((f) => f.name === answer)
    return field ?? { ...namedField(answer, undefined), attrs: { sensitive: true } }
  }
  // These are of the event, and no property of the record.
  const { reason } = contract.bodies.withReason.properties
  const ofEvent: Record<string, Property> = {
    reason,
    hold: { title: 'Hold', type: 'string' },
    merged_from: { title: 'Merged from', type: 'integer' },
    merged_into: { title: 'Merged into', type: 'integer' },
    other: { title: 'The other record', type: 'integer' },
    referral: { title: 'Referral', type: 'integer' },
  }
  return namedField(path, ofEvent[path] ?? contract.entities[entity]?.properties[path])
}

/**
 * The audit rows whose sensitive values are hidden: in an export all, otherwise those of records that are not visible
 * to the caller.
 */
async function hiddenRecords(call: Call, rows: AuditRow[]): Promise<Set<AuditRow>> {
  if (call.exporting) return new Set(rows)
  const hidden = new Set<AuditRow>()
  for (const name of new Set(rows.map(({ entity = '' }) => entity))) {
    const some = rows.filter(({ entity = '' }) => entity === name)
    const open = await openOf(call, name, some)
    for (const row of some) if (!open.has(row.record!)) hidden.add(row)
  }
  return hidden
}

async function openOf({ contract, db, me }: Call, name: string, rows: AuditRow[]): Promise<Set<number>> {
  const entity = contract.entities[name]
  const key = sql.ref(`r.${keyOf(entity)}`)
  const { rows: open } = await sql<{ id: number }>`select ${key} as id from ${sql.table(entity.table!)} r
    where ${key} = any(${rows.map(({ record }) => record)}::int[]) and ${scoped(entity, me)}`.execute(db)
  return new Set(open.map(({ id }) => id))
}
