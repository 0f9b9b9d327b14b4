import { sql } from 'kysely'
import { visibleTo } from '../../access/scope.ts'
import type { Caller } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'

/**
 * True for the number of a case or issue that the caller may not see; also of a case that was merged into another one.
 * False for a record that was deleted for good, because what was read from it was deleted too.
 */
export function isOutOfSight(me: Caller, entity: 'case' | 'issue', number: Sql): Sql {
  const remains =
    entity === 'case'
      ? sql`(select m."case" from merges m where m.entity = 'case' and m.old = ${number})`
      : sql`null`
  return sql`exists (select from ${sql.table(`${entity}s`)} p
    where p.id in (${number}, ${remains}) and (${visibleTo(entity, me, 'p')}) is not true)`
}
