import { sql } from 'kysely'
import { editableFields } from '../../../contract/entity.ts'
import { isEditable } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import type { Case } from '../../../contract/types/entities.ts'
import type { Values } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { fieldProblem } from '../../core/problems.ts'
import { refuseMerged } from '../../records/merged/mergedRecords.ts'
import { metaFor } from '../../records/validate/meta.ts'
import { fetch } from '../../records/verbs/read.ts'
import type { ComparedRecord } from './comparison.ts'
import { idOf } from './pairOfClients.ts'

/** A case with its monitoring, as it is compared. */
export interface CaseParts extends ComparedRecord {
  client: number
}

/** Paths of the values that are not columns of the case. */
const PARTS = ['answers', 'monitoring'] as const

/** The visible case of the path and another one, which must be of the same client, case type and contract. */
export async function pairOfCases(call: Call, other: unknown): Promise<[CaseParts, CaseParts]> {
  const { entities } = call.contract
  const id = idOf(other)
  if (id === Number(call.params.id)) throw fieldProblem({ other: ['This is the same case: choose another'] })
  await refuseMerged(call, 'case', id)
  const [mine, theirs] = await Promise.all([
    fetch(call, entities.case, call.params.id),
    fetch(call, entities.case, id),
  ])
  if ((['client', 'case_type', 'contract'] as const).some((name) => mine[name] !== theirs[name]))
    throw fieldProblem({ other: ['Both cases must be of the same client, case type and contract'] })
  return Promise.all([partsOf(call, mine), partsOf(call, theirs)])
}

export async function partsOf(call: Call, row: Case): Promise<CaseParts> {
  const monitoring = await fetch(call, call.contract.entities.caseMonitoring, row.id)
  const { id, version, client, client_name, case_type_label } = row
  return {
    entity: 'case',
    id,
    version,
    client: client!,
    created_at: row.created_at ?? null,
    name: `${case_type_label}, ${client_name}`,
    values: { ...row, ...at('answers', row.answers as Values), ...at('monitoring', monitoring) },
  }
}

function at(part: (typeof PARTS)[number], values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${part}.${name}`, value]))
}

/** The fields of a case, its answers and its monitoring, each named by its path. */
export async function fieldsOfCase(call: Call, id: number): Promise<Field[]> {
  const { entities } = call.contract
  const { groups } = await metaFor(call, entities.case, id)
  const named = (part: (typeof PARTS)[number], fields: readonly Field[]) =>
    fields.map((field) => ({ ...field, name: `${part}.${field.name}` }))
  return [
    ...editableFields(entities.case),
    ...named('answers', groups.flatMap(({ fields }) => fields).filter(isEditable)),
    ...named('monitoring', editableFields(entities.caseMonitoring)),
  ]
}

/** Values by path as the bodies of an update of the case and of its monitoring. */
export function bodiesOf(values: Values): { case: Values; monitoring: Values } {
  const parts: Record<string, Values> = { '': {}, answers: {}, monitoring: {} }
  for (const [path, value] of Object.entries(values)) {
    const [part, name] = path.includes('.') ? path.split('.') : ['', path]
    parts[part][name] = value
  }
  const answers = Object.keys(parts.answers).length > 0 ? { answers: parts.answers } : {}
  return { case: { ...parts[''], ...answers }, monitoring: parts.monitoring }
}

export async function storedRow({ db }: Call, table: 'cases' | 'case_monitoring', id: number): Promise<Row> {
  const key = table === 'cases' ? 'id' : 'case'
  const { rows } = await sql<{ row: Row }>`select to_jsonb(t) as row from ${sql.table(table)} t
    where ${sql.ref(key)} = ${id}`.execute(db)
  return rows[0].row
}
