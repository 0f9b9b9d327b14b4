import type { MetaName, Usage } from './metaTypes.ts'

/** How many records of a case type there are, and how many of them answer each field. */
export interface TypeUsage extends Usage {
  cases: number
  issues: number
}
/** How many records answer a field, of how many. */
export interface Count {
  answered: number
  total: number
  one: 'case' | 'issue'
}

/** The count of a field; for what stored answers nobody has counted it is 0. */
export function countOf(meta: MetaName, name: string, usage: TypeUsage): Count {
  const counts = usage[meta]
  const answered = Object.hasOwn(counts, name) ? counts[name] : 0
  return meta === 'case_meta'
    ? { answered, total: usage.cases, one: 'case' }
    : { answered, total: usage.issues, one: 'issue' }
}

/** '17 of 132 cases have an answer', 'no case has an answer'. */
export function haveAnswer(count: Count): string {
  const { answered, one } = count
  if (answered === 0) return `no ${one} has an answer`
  return `${ofAll(answered, count)} ${answered === 1 ? 'has' : 'have'} an answer`
}

/** "115 of 132 cases have no answer": also of records in which it is hidden, where `atMost` says so. */
export function haveNone(count: Count, atMost: boolean): string {
  const lacking = Math.max(0, count.total - count.answered)
  const words = `${ofAll(lacking, count)} ${lacking === 1 ? 'has' : 'have'} no answer`
  return atMost ? `up to ${words}` : words
}

/** '1 case', '1,203 issues'. */
export function amount(number: number, one: string): string {
  return `${number.toLocaleString('en-GB')} ${one}${number === 1 ? '' : 's'}`
}

function ofAll(number: number, { total, one }: Count): string {
  return `${number.toLocaleString('en-GB')} of ${amount(total, one)}`
}
