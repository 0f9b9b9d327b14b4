import { ROLE } from '../../contract/roles.ts'
import type { Caller } from '../core/call.ts'

const REFERRAL_ROLES: number[] = [ROLE.systemAdministrator, ROLE.hubManager, ROLE.hub]

/** True for administrators. */
export function seesAll(me: Caller): boolean {
  return me.groups.includes(ROLE.systemAdministrator)
}

/**
 * True for commissioners who may not read the records of their contracts. The work of others on a record is hidden from
 * them.
 */
export function seesOwnOnly(me: Caller): boolean {
  return !me.readsContracts && me.groups.every((id) => id === ROLE.commissionerAdvocate)
}

export function dealsWithReferrals(me: Caller): boolean {
  return me.groups.some((role) => REFERRAL_ROLES.includes(role))
}
