/** Rows of a page unless asked otherwise; a call may say another number (`pageSize`). */
export const DEFAULT_PAGE_SIZE = 10
/** Most rows of one page, by the kind of list that a call says (`largestPage`). */
export const LARGEST_PAGE = { keyed: 2000, config: 1000, admin: 5000 } as const
/** How long a notice of success is shown, in milliseconds. */
export const SUCCESS_NOTICE_MS = 3000
/** How long a term of the quick search stands before it is looked for, in milliseconds. */
export const QUICK_SEARCH_DEBOUNCE_MS = 300
/** How often notifications are counted again, in milliseconds. */
export const NOTIFICATION_INTERVAL_MS = 3_600_000
/** A session is prolonged at most once in so many milliseconds. */
export const PING_THROTTLE_MS = 306_000
/** A session ends after so many milliseconds without a response. */
export const INACTIVITY_MS = 612_000
/** The day with which a report's period begins unless asked otherwise, before the day on which it ends. */
export const PERIOD_START = '-7d'
/** Key of the session's token in the browser's localStorage. */
export const TOKEN_KEY = 'token'
/** The one sheet of every Excel file. */
export const SHEET_NAME = 'data'
/** How many lists one person may export in a minute, over all servers; what other calls allow is `perMinute` of their descriptor. */
export const EXPORTS_PER_MINUTE = 10
/** How many files one person may send in a minute, by whatever calls, over all servers. */
export const FILES_PER_MINUTE = 60
/** How many referrals with one mail address may come by the public form from one network in a day, over all servers. */
export const REFERRALS_PER_EMAIL = 5
/** How many of the referrals of a day, from whatever networks, are confirmed by mail to one address. */
export const CONFIRMATIONS_PER_EMAIL = 5
/** How many referrals may come from one network in a day, behind which a whole hospital may be. */
export const REFERRALS_PER_ADDRESS = 50
/** Days after its decision in which the link to a referral's status page still works. */
export const REFERRAL_LINK_DAYS = 90
/** Days for which a draft that nobody changes is kept; the view draft_rows says the same. */
export const DRAFT_DAYS = 30
