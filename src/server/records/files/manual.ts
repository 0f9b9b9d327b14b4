import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { NO_CONTENT_POLICY } from '../../core/securityHeaders.ts'
import type { Settings } from '../../core/settings.ts'
import { readContent } from './content.ts'

/** Types that a browser may render; it downloads all others. */
const INLINE_TYPES = new Set(['application/pdf', 'image/png', 'image/jpeg', 'text/plain'])

interface Manual {
  content: Buffer
  headers: Record<string, string>
}

/**
 * The user manual that an administrator uploaded: the newest active file of that name, unless it is marked as not
 * downloadable; undefined if there is none. It is opened by a link, so it is public to everybody with the address.
 */
export async function uploadedManual(context: { db: Db; settings: Settings }): Promise<Manual | undefined> {
  const { rows } = await sql<{ id: number; name: string; type: string }>`
    select f.id, f.name, f.type from lookup l join files f on f.id = (l.attrs ->> 'file')::int
    where l.kind = 'file' and l.active and lower(l.label) = 'user manual'
      and not l.attrs @> '{"downloadable": false}' order by l.value desc limit 1`.execute(context.db)
  if (!rows[0]) return undefined
  const { id, name, type } = rows[0]
  const disposition = INLINE_TYPES.has(type) ? 'inline' : 'attachment'
  const headers = {
    'content-type': type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
    'content-disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`,
    'content-security-policy': NO_CONTENT_POLICY,
  }
  return { content: await readContent(context, id), headers }
}
