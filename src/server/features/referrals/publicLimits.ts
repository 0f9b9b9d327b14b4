import {
  CONFIRMATIONS_PER_EMAIL,
  REFERRALS_PER_ADDRESS,
  REFERRALS_PER_EMAIL,
} from '../../../contract/limits.ts'
import { networkOf } from '../../access/network.ts'
import { enforceDailyLimit, exceedsDailyLimit } from '../../access/rateLimit.ts'
import type { Call } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import type { MailedReferral } from './links.ts'
import { mailAddressOf } from './mailReferrer.ts'
import type { NewRequest } from './publicSubmission.ts'

/** True if the referrer gave a mail address that has not had too many confirmations today. */
export function canMail(db: Db, referral: Pick<MailedReferral, 'channel' | 'referrer'>): Promise<boolean> {
  return isWithinMailLimit(db, referral, 0)
}

/** Counts a confirmation; false if it must not be mailed, for want of an address or because of the daily limit. */
export function countConfirmation(
  db: Db,
  referral: Pick<MailedReferral, 'channel' | 'referrer'>,
): Promise<boolean> {
  return isWithinMailLimit(db, referral, 1)
}

/**
 * Adds `by` to the confirmations of a mailbox today. Anybody can enter somebody else's address in the form: the limit
 * keeps its mailbox from being filled, but refuses no referral.
 */
async function isWithinMailLimit(
  db: Db,
  referral: Pick<MailedReferral, 'channel' | 'referrer'>,
  by: number,
): Promise<boolean> {
  const to = mailAddressOf(referral)
  if (to === undefined) return false
  return !(await exceedsDailyLimit(db, {
    name: 'confirmationsOfReferrals',
    caller: mailboxOf(to),
    limit: CONFIRMATIONS_PER_EMAIL,
    by,
  }))
}

/** Enforces the daily limits. Only valid referrals count, so that mistakes do not use up a limit; spam counts too. */
export async function enforceReferralLimits({ db, request }: Call, { referrer }: NewRequest): Promise<void> {
  const { contact_email: email } = referrer
  const network = networkOf(request.ip)
  await enforceDailyLimit(
    db,
    `${REFERRALS_PER_ADDRESS} referrals came from your network today. Please ring us.`,
    {
      name: 'referralsOfAddress',
      caller: network,
      limit: REFERRALS_PER_ADDRESS,
    },
  )
  if (typeof email !== 'string') return
  await enforceDailyLimit(
    db,
    `${REFERRALS_PER_EMAIL} referrals were sent with this email address from your network today. Please ring us.`,
    { name: 'referralsOfEmail', caller: `${network} ${mailboxOf(email)}`, limit: REFERRALS_PER_EMAIL },
  )
}

/** The mailbox of an address, to which most providers deliver 'name+anything@example.org' too. */
function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/\+[^@]*(?=@)/, '')
}
