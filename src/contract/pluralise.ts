/** A number with its noun: '1 case', '1,203 issues'. */
export function pluralise(n: number, noun: string): string {
  return `${n.toLocaleString('en-GB')} ${noun}${n === 1 ? '' : 's'}`
}
