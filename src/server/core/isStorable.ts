/** True if PostgreSQL can store every text in a value: no NUL, no lone surrogate. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (value === null || typeof value !== 'object') return true
  return Object.entries(value).every(([key, one]) => isStorable(key) && isStorable(one))
}
