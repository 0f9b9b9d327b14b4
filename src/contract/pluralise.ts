/** A number with its noun: '1 case', '1,203 issues'. */
export function pluralise(n: number, noun: string): string {
  return `${inFull(n)} ${noun}${n === 1 ? '' : 's'}`
}

/** A number in digits: '1,203'. */
export function inFull(n: number): string {
  return n.toLocaleString('en-GB')
}
