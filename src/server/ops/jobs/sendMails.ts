import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { isAddress, oneLine, publicUrl, sendMail } from '../../access/mail.ts'
import { callerById } from '../../access/session.ts'
import type { Caller } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { type Lease, leaseNext, postpone, type Queue } from '../../core/queue.ts'
import { MAX_MAIL_ATTEMPTS } from '../../records/workNotices/queueMails.ts'
import type { JobContext } from './runJobs.ts'

/** Longer than the mail server has for all steps of a mail, so that no other server sends it meanwhile. */
const OUTBOX: Queue = { table: 'mail_outbox', leaseSeconds: 120 }

type MailContext = Pick<JobContext, 'db' | 'settings' | 'log' | 'ending'>

interface QueuedMail extends Lease {
  message_id: string
  notice: number
}
interface Notice {
  staff: number
  urgent: boolean
}

/**
 * Sends the queued mails of notices until none is due; several servers share them. A mail is deleted once the mail
 * server has accepted it: if this server is killed before that, another one sends it again under the same Message-ID.
 */
export async function sendMails(context: MailContext): Promise<void> {
  const worker = randomUUID()
  while (!context.ending.aborted) {
    const mail = await leaseNext<QueuedMail>(context.db, OUTBOX, worker, {
      where: sql`attempts < ${MAX_MAIL_ATTEMPTS}`,
      returning: sql`id, worker, message_id::text, notice`,
    })
    if (!mail || !(await trySend(context, mail))) return
  }
}

/** False if the mail server is unavailable, so that the other mails wait too. */
async function trySend(context: MailContext, mail: QueuedMail): Promise<boolean> {
  const { db, settings, log } = context
  try {
    const notice = await unreadNotice(db, mail.notice)
    const me = notice && (await callerById(db, notice.staff))
    if (notice && me?.email && isAddress(me.email))
      await sendMail(
        { settings, log },
        { to: me.email, id: mail.message_id, ...contentOf(notice, me, settings) },
      )
  } catch (error) {
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    await postpone(db, OUTBOX, mail, { code })
    // A refused address would be refused again.
    if (responseCode !== undefined && responseCode >= 500)
      await sql`update mail_outbox set attempts = ${MAX_MAIL_ATTEMPTS} where id = ${mail.id}`.execute(db)
    log.warn({ code }, 'a mail of a notice was not sent')
    return responseCode !== undefined
  }
  await sql`delete from mail_outbox where id = ${mail.id} and worker = ${mail.worker}`.execute(db)
  return true
}

/** The notice of a mail; undefined if it and later ones were read, so that no mail repeats what was read. */
async function unreadNotice(db: Db, id: number): Promise<Notice | undefined> {
  const { rows } = await sql<Notice>`select staff, urgent from work_notices n where id = ${id} and exists (
    select from work_notices o where o.staff = n.staff and o.created_at >= n.created_at and o.read_at is null)`.execute(
    db,
  )
  return rows[0]
}

/** A link and no names of others, because others may see a mail and mail servers store it. */
function contentOf({ urgent }: Notice, { first_name, username }: Caller, settings: MailContext['settings']) {
  const what = urgent ? 'Something urgent has happened.' : 'There is something new for you.'
  const why = urgent
    ? 'You get this message because it is urgent. Other kinds can be switched off in your profile.'
    : 'You get this message because you chose it in your profile, where you can also switch it off.'
  const paragraphs = [
    `Hello ${oneLine(first_name || username)},`,
    what,
    `${publicUrl(settings)}/dashboard/new-work`,
    why,
    '',
  ]
  return {
    subject: urgent ? `${settings.PRODUCT_NAME}: urgent` : settings.PRODUCT_NAME,
    text: paragraphs.join('\n\n'),
  }
}
