/** How many lists one person may export in a minute, over all servers; what other calls allow is `perMinute` of their descriptor. */
export const EXPORTS_PER_MINUTE = 10
