import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Deletes files that nothing was made of in 31 days, a day longer than a draft lasts; not one that a draft still names. */
export async function forgetFiles({ db }: { db: Db }): Promise<void> {
  await sql`delete from files f where record is null and created_at < now() - interval '31 days'
    and not exists (select 1 from drafts d where d.staff = f.created_by
      and jsonb_path_exists(d.payload, '$.** ? (@ == $file)', jsonb_build_object('file', f.id)))`.execute(db)
}
