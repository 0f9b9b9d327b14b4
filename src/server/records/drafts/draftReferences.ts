import { sql } from 'kysely'
import type { Db, Sql } from '../../core/db.ts'

/** Path segment before the id of a record in an address: '/cases/7/issues/new'. */
const PATH_SEGMENTS = { client: 'clients', case: 'cases', issue: 'issues' }
type Level = keyof typeof PATH_SEGMENTS

/** The condition for drafts that were started on a record or refer to one; `ids` is an array of texts. */
export function isDraftOf(level: Level, ids: Sql): Sql {
  return sql`${ids} && array[
      payload #>> ${pathOf(level)},
      substring(address from ${`/${PATH_SEGMENTS[level]}/(\\d+)`}),
      substring(address from ${`[?&]${level}=(\\d+)`})
    ]`
}

/** Makes the drafts of a record refer to another one; with a condition only those that meet it. Returns their ids. */
export async function moveDrafts(
  db: Db,
  level: Level,
  { from, to }: { from: number; to: number },
  where: Sql = sql`true`,
): Promise<number[]> {
  const inAddress = `(/${PATH_SEGMENTS[level]}/|[?&]${level}=)${from}(?!\\d)`
  const path = pathOf(level)
  const { rows } = await sql<{ id: number }>`update drafts
    set address = regexp_replace(address, ${inAddress}, ${`\\1${to}`}, 'g'),
      payload = case when payload #>> ${path} = ${String(from)}
        then jsonb_set(payload, ${path}, to_jsonb(${to}::int)) else payload end
    where ${isDraftOf(level, sql`array[${String(from)}]`)} and ${where} returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Where the document of a draft has the id of the record that was chosen in it. */
function pathOf(level: Level): Sql {
  return sql`${['document', level]}::text[]`
}
