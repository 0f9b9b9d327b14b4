/** The value of a filter that finds rows without one. */
export const NONE = 'none'
/** What people read where a row has no value. */
export const NOT_SAID = 'Not said'
