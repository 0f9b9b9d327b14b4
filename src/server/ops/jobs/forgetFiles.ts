import { sql } from 'kysely'
import { DRAFT_PICTURE } from '../../access/fileScope.ts'
import type { Db } from '../../core/db.ts'

/** Deletes pictures that were uploaded for a draft 31 days ago or earlier and are in no draft of a case type. */
async function forgetPictures(db: Db): Promise<void> {
  await sql`delete from files f where entity = ${DRAFT_PICTURE} and created_at < now() - interval '31 days'
    and not exists (select 1 from case_type_drafts d
      where position('(/api/files/' || f.id || ')' in concat(d.case_meta, d.issue_meta)) > 0)`.execute(db)
}

/** Deletes files that no record has after 31 days, a day longer than a draft lasts, unless a draft still has them. */
export async function forgetFiles({ db }: { db: Db }): Promise<void> {
  await sql`delete from files f where record is null and created_at < now() - interval '31 days'
    and not exists (select 1 from drafts d where d.staff = f.created_by
      and jsonb_path_exists(d.payload, '$.** ? (@ == $file)', jsonb_build_object('file', f.id)))`.execute(db)
  await forgetPictures(db)
}
