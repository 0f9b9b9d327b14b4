import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import type { Call } from '../../core/call.ts'
import type { Row, Sql } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import { moveAnswersOf } from '../answerMigrations/moveAnswers.ts'
import { ANSWERED, isAnswered, pendingMigrations } from '../answerMigrations/pendingMigrations.ts'
import { type Meta, metaFor } from '../validate/meta.ts'

/**
 * Locks a record with answers by a query from `from` on, and returns it with its published form. Its answers are moved
 * first if a migration has not reached it; should a publication come between, both are read again.
 */
export async function lockCurrent(
  call: Call,
  entity: Entity,
  from: Sql,
  options: { isLatest?: boolean } = {},
): Promise<{ row: Row; meta: Meta }> {
  const { $id } = entity
  if (!isAnswered($id)) throw new Error(`${$id} has no answers`)
  const published = sql`(select t.version from case_types t where t.id = ${ANSWERED[$id].caseType(sql`r`)})`
  for (;;) {
    const [{ pending, published: version, ...row }, meta] = await Promise.all([
      lockedRow(
        call,
        sql`select r.*, ${pendingMigrations($id)} as pending, ${published} as published ${from}`,
      ),
      metaFor(call, entity, call.params.id, options),
    ])
    if (pending) await moveAnswersOf(call.db, $id, Number(row.id))
    else if (version === meta.version) return { row, meta }
  }
}

/** The row of a query that locks it; throws the 404, before what is read beside it fails. */
async function lockedRow({ db }: Call, query: Sql): Promise<Row> {
  const { rows } = await sql<Row>`${query}`.execute(db)
  if (!rows[0]) throw problem('notFound')
  return rows[0]
}
