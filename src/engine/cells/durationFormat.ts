type Parse = (parts: string[]) => number

const MINUTE = 60
const HOUR = 3600

const PATTERNS: [RegExp, Parse][] = [
  [/^(\d+):([0-5]\d)$/, ([, h, m]) => Number(h) * HOUR + Number(m) * MINUTE],
  // One or two digits are minutes, three or four hours and minutes.
  [/^(\d{1,2})$/, ([, m]) => Number(m) * MINUTE],
  [/^(\d{1,2})([0-5]\d)$/, ([, h, m]) => Number(h) * HOUR + Number(m) * MINUTE],
  [/^(\d+)m(in(utes?|s)?)?$/, ([, m]) => Number(m) * MINUTE],
  [/^(\d+(?:\.\d+)?)h((ou)?rs?)?$/, ([, h]) => Math.round(Number(h) * 60) * MINUTE],
  [/^(\d+)h([0-5]?\d)m?$/, ([, h, m]) => Number(h) * HOUR + Number(m) * MINUTE],
]

/**
 * Parses '1:30', '0130', '45', '90m', '1.5h' or '1h 30m' to seconds; returns invalid text as typed, so that validation
 * reports it.
 */
export function parseDuration(text: string): unknown {
  const tidy = text.replaceAll(/\s/g, '').toLowerCase()
  if (tidy === '') return undefined
  for (const [pattern, parse] of PATTERNS) {
    const parts = tidy.match(pattern)
    if (parts) return parse(parts)
  }
  return text.trim()
}

/** Seconds as hh:mm; a text stays as it is. */
export function formatDuration(value: unknown): string {
  if (typeof value !== 'number') return typeof value === 'string' ? value : ''
  const minutes = Math.round(value / MINUTE)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
