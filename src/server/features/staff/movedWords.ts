import { pluralise } from '../../../contract/pluralise.ts'

/**
 * '7 issues of 5 clients are', '1 issue is': the beginning of a sentence about issues, by the clients of their rows.
 */
export function movedWords(issues: { client?: unknown }[]): string {
  const clients = new Set(issues.map(({ client }) => client)).size
  const of = clients > 0 ? ` of ${pluralise(clients, 'client')}` : ''
  return `${pluralise(issues.length, 'issue')}${of} ${issues.length === 1 ? 'is' : 'are'}`
}
