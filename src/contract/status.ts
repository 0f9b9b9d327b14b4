/** Status numbers of staff; clients, cases, issues and case types are active or retired. */
export const STATUS = { active: 1, retired: 2, suspended: 3, onLeave: 4 } as const

export type RecordStatus = typeof STATUS.active | typeof STATUS.retired

/** Status numbers of a referral request; spam is in a list of its own. */
export const REFERRAL_STATUS = { new: 1, accepted: 2, rejected: 3, moreInformation: 4, spam: 5 } as const
