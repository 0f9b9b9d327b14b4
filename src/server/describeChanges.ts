import { sql } from 'kysely'
import { fieldOf } from '../contract/entity.ts'
import type { Field, Group } from '../contract/types.ts'
import type { Changes } from './audit.ts'
import type { Call } from './call.ts'
import type { Row } from './db.ts'
import { hiddenRecords } from './hiddenRecords.ts'
import { lookupLabels } from './lookupLabels.ts'
import { type Labels, valueText } from './valueText.ts'

/** One changed field in people's words; `field` is its path in the record, to put the old value back. */
export interface Described {
  field: string
  label: string
  from: string
  to: string
}
interface Metas {
  case: Group[]
  issue: Group[]
}

/** The changes of audit rows, in the rows' order, with the labels of the case type as it is published now. */
export async function describeChanges(call: Call, rows: Row[]): Promise<Described[][]> {
  const metas = await metasOf(call, rows)
  const changed = rows.map((row) =>
    Object.entries((row.changes ?? {}) as Changes).map(([path, change]) => ({
      path,
      change,
      field: fieldAt(call, row, path, metas),
    })),
  )
  const isTold = ({ field }: { field: Field }) => !field.attrs?.sensitive
  const hidden = await hiddenRecords(
    call,
    rows.filter((_, i) => !changed[i].every(isTold)),
  )
  const labels = await lookupLabels(
    call,
    changed.flat().flatMap(({ field, change: { from, to } }) => [
      [field, from],
      [field, to],
    ]),
  )
  return changed.map((list, i) =>
    list.map((one) => ({
      field: one.path,
      label: one.field.label,
      ...(isTold(one) || !hidden.has(rows[i]) ? wordsOf(one, labels) : { from: '', to: 'changed' }),
    })),
  )
}

function wordsOf({ change, field }: { change: Changes[string]; field: Field }, labels: Labels) {
  return { from: valueText(change.from, field, labels), to: valueText(change.to, field, labels) }
}

async function metasOf({ db }: Call, rows: Row[]): Promise<Map<unknown, Metas>> {
  const asked = rows.filter(({ changes }) =>
    Object.keys(changes ?? {}).some((path) => path.startsWith('answers.')),
  )
  if (asked.length === 0) return new Map()
  const { rows: found } = await sql<Metas & { id: number }>`
    select k.id, t.case_meta as "case", t.issue_meta as issue from cases k join case_types t on t.id = k.case_type
    where k.id = any(${asked.map((row) => row.case)}::int[])`.execute(db)
  return new Map(found.map((one) => [one.id, one]))
}

/** The field that a path of the audit names; one that is not described any more goes by its name. */
function fieldAt({ contract }: Call, row: Row, path: string, metas: Map<unknown, Metas>): Field {
  const entity = String(row.entity)
  const answer = path.startsWith('answers.') ? path.slice('answers.'.length) : undefined
  if (answer) {
    const groups = metas.get(row.case)?.[entity as keyof Metas] ?? []
    const field = groups.flatMap((g) => g.fields).find((f) => f.name === answer)
    return field ?? { name: answer, label: answer, type: 'text' }
  }
  const property = contract.entities[entity]?.properties[path]
  return property ? fieldOf(path, property, false) : { name: path, label: path, type: 'text' }
}
