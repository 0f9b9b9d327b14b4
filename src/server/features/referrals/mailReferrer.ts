import { isAddress, publicAddress, sendMail } from '../../access/mail.ts'
import { afterReply } from '../../core/afterReply.ts'
import type { Call } from '../../core/call.ts'
import { type MailedReferral, makeReferralLink } from './links.ts'

/** Other people may see the subject on a screen, so it names neither a person nor a service. */
const SUBJECT = 'About what you sent us'
const IGNORE =
  'If you sent us nothing, you can ignore this message. Please do not answer it: nobody reads that.'

const TEXTS = {
  received:
    'Thank you. We have received what you sent us. This page tells you what becomes of it; keep this message so that you can come back to it:',
  written: 'There is a message for you. You can read and answer it on this page:',
  decided: 'There is a decision about what you sent us. You can read it on this page:',
}

/** Mails the referrer of a public referral a link to its status page after the reply, if they gave an address. */
export function mailReferrer(call: Call, request: MailedReferral, occasion: keyof typeof TEXTS): void {
  const to = mailAddressOf(request)
  if (to === undefined) return
  afterReply(call, async (db) => {
    const secret = await makeReferralLink(db, request.id)
    const link = `${publicAddress(call)}/referral-status#${secret}`
    const text = ['Hello,', TEXTS[occasion], link, IGNORE, ''].join('\n\n')
    await sendMail({ settings: call.settings, log: call.request.log }, { to, subject: SUBJECT, text })
  })
}

/** The mail address of a public referral's referrer; undefined if they gave none. */
export function mailAddressOf({
  channel,
  referrer,
}: Pick<MailedReferral, 'channel' | 'referrer'>): string | undefined {
  const { contact_email: to } = referrer ?? {}
  return channel === 'public' && typeof to === 'string' && isAddress(to) ? to : undefined
}
