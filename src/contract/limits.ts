/** Largest value of PostgreSQL's integer type. */
export const MAX_INTEGER = 2147483647
/** Rows of a page unless the request asks for another number; a call may have another default (`pageSize`). */
export const DEFAULT_PAGE_SIZE = 10
/** Most rows of one page, by the `largestPage` of a call. */
export const MAX_PAGE = { keyed: 2000, config: 1000, admin: 5000 } as const
/** Display time of a success notice, in milliseconds. */
export const SUCCESS_NOTICE_MS = 3000
/** Debounce delay of the quick search, in milliseconds. */
export const QUICK_SEARCH_DEBOUNCE_MS = 300
/** Interval at which notifications are counted again, in milliseconds. */
export const NOTIFICATION_INTERVAL_MS = 3_600_000
/** Least time between two extensions of a session, in milliseconds. */
export const PING_THROTTLE_MS = 306_000
/** Time without a response after which a session ends, in milliseconds. */
export const INACTIVITY_MS = 612_000
/** Default start of a report's period, relative to its end. */
export const PERIOD_START = '-7d'
/** Key of the session's token in the browser's localStorage. */
export const TOKEN_KEY = 'token'
/** Maximum bytes of an uploaded file; a call with a `bodyLimit` has another one. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024
/** Name of the only sheet of every Excel file. */
export const SHEET_NAME = 'data'
/**
 * Rate limit of list exports per person and minute, over all servers; other calls have a `perMinute` in their
 * descriptor.
 */
export const EXPORTS_PER_MINUTE = 10
/** Exports of more rows need a recent proof of who the person is (step-up authentication), if STEP_UP is set. */
export const STEP_UP_ROWS = 500
/** Rate limit of uploaded files per person and minute, over all calls and servers. */
export const FILES_PER_MINUTE = 60
/** Rate limit of public referrals per email address, network and day, over all servers. */
export const REFERRALS_PER_EMAIL = 5
/** Most confirmation emails to one address per day, for referrals from any network. */
export const CONFIRMATIONS_PER_EMAIL = 5
/** Rate limit of referrals per network and day; a whole hospital may share one network. */
export const REFERRALS_PER_ADDRESS = 50
/** Days after a referral's decision until the link to its status page expires. */
export const REFERRAL_LINK_DAYS = 90
/** Days until an unchanged draft expires; the SQL view draft_rows has the same number. */
export const DRAFT_DAYS = 30
