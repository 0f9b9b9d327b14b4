/** A number with its noun: '1 case', '2 cases'. */
export function pluralise(n: number, what: string): string {
  return n === 1 ? `1 ${what}` : `${n} ${what}s`
}
