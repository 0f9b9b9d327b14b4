import type { MetaName, Usage } from '../../contract/meta/metaTypes.ts'
import { pluralise } from '../../contract/pluralise.ts'

/** Number of records of a case type, and how many of them answer each field. */
export interface TypeUsage extends Usage {
  cases: number
  issues: number
  /** Number of unfinished new cases and issues that answer each field. */
  drafts?: Usage
}
/** Number of records that answer a field, and of all records. */
export interface Count {
  answered: number
  /** Number of unfinished new records that answer it. */
  drafts: number
  total: number
  one: 'case' | 'issue'
}

/** The count of a field; 0 if nobody has counted its answers. */
export function countOf(meta: MetaName, name: string, usage: TypeUsage): Count {
  const countIn = (counts: Record<string, number> = {}) => (Object.hasOwn(counts, name) ? counts[name] : 0)
  const counts = { answered: countIn(usage[meta]), drafts: countIn(usage.drafts?.[meta]) }
  return meta === 'case_meta'
    ? { ...counts, total: usage.cases, one: 'case' }
    : { ...counts, total: usage.issues, one: 'issue' }
}

/** True if a record answers the field, even an unfinished one. */
export function isAnswered({ answered, drafts }: Count): boolean {
  return answered + drafts > 0
}

/** '17 of 132 cases and 1 unfinished case have an answer', 'no case has an answer'. */
export function haveAnswer(count: Count): string {
  const { answered, drafts, one } = count
  if (!isAnswered(count)) return `no ${one} has an answer`
  const who = [
    answered > 0 && ofAll(answered, count),
    drafts > 0 && pluralise(drafts, `unfinished ${one}`),
  ].filter((part) => part !== false)
  return `${who.join(' and ')} ${answered + drafts === 1 ? 'has' : 'have'} an answer`
}

/**
 * "115 of 132 cases have no answer"; with `atMost` "up to 115 …", because it includes records in which the field is
 * hidden.
 */
export function haveNone(count: Count, atMost: boolean): string {
  const lacking = Math.max(0, count.total - count.answered)
  const words = `${ofAll(lacking, count)} ${lacking === 1 ? 'has' : 'have'} no answer`
  return atMost ? `up to ${words}` : words
}

function ofAll(number: number, { total, one }: Count): string {
  return `${number.toLocaleString('en-GB')} of ${pluralise(total, one)}`
}
