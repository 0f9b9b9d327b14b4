/** A text with values in braces and optional parts in brackets: '[{by} gave you|You were given] {title}[ for {client}]'. */

const VALUE = /\{(\w+)\}/g
const PART = /\[([^[\]]*)\]/g

/** The names in braces: ['client', 'day'] for '{client} died on {day}'. */
export function valuesOfText(text: string): string[] {
  return [...text.matchAll(VALUE)].map(([, name]) => name)
}

/** Error of the brackets and braces of a text; undefined if each is closed and none is within another one. */
export function bracketProblem(text: string): string | undefined {
  const rest = text.replaceAll(PART, '').replaceAll(VALUE, '')
  return /[[\]{}]/.test(rest) ? 'a bracket or brace is not closed, or within another one' : undefined
}

/** The text with its values. Of a part in brackets, the first alternative counts whose values are all there. */
export function fillNoticeText(text: string, values: Record<string, unknown>): string {
  const isThere = (name: string) => values[name] !== undefined && values[name] !== null && values[name] !== ''
  return text
    .replaceAll(
      PART,
      (_, part: string) => part.split('|').find((one) => valuesOfText(one).every(isThere)) ?? '',
    )
    .replaceAll(VALUE, (_, name: string) => String(values[name] ?? ''))
}
