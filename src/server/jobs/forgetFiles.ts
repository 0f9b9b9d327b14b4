import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { DRAFT_PICTURE } from '../scope.ts'

/** Deletes pictures that were uploaded for a draft 31 days ago and that no draft of a case type names. */
async function forgetPictures(db: Db): Promise<void> {
  await sql`delete from files f where entity = ${DRAFT_PICTURE} and created_at < now() - interval '31 days'
    and not exists (select 1 from case_type_drafts d
      where position('(/api/files/' || f.id || ')' in concat(d.case_meta, d.issue_meta)) > 0)`.execute(db)
}

/** Deletes files that nothing was made of in 31 days, a day longer than a draft lasts; not one that a draft still names. */
export async function forgetFiles({ db }: { db: Db }): Promise<void> {
  await sql`delete from files f where record is null and created_at < now() - interval '31 days'
    and not exists (select 1 from drafts d where d.staff = f.created_by
      and jsonb_path_exists(d.payload, '$.** ? (@ == $file)', jsonb_build_object('file', f.id)))`.execute(db)
  await forgetPictures(db)
}
