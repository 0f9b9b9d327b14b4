import { pluralise } from '../../../contract/pluralise.ts'
import { joinWords } from '../../../contract/quoted.ts'
import type { Viewer } from '../../../contract/types/entities.ts'
import { seesAll } from '../../access/callerRights.ts'
import { holdingsOf, lookupsOf, principal, readPrincipal } from '../../access/principals.ts'
import { principalsOfRecord, type RecordPrincipal, type Seen } from '../../access/recordPrincipals.ts'
import type { Call, Caller } from '../../core/call.ts'
import { choicesOf } from '../../records/lookups/choices.ts'

/** A reason for which somebody sees a record. */
export interface Reason {
  reason: Viewer['reason']
  words: string
}

/** The names in the words of a principal: labels by lookup, and the records that the principal comes from. */
interface Named {
  labels: Record<string, string>
  records: string
}

/** Records of one kind that are named by number. */
const MAX_NUMBERS = 5

/**
 * The principals of a record with the names to say why somebody sees it; issues and cases that the caller cannot see
 * have no numbers.
 */
export async function namedPrincipals(call: Call, entity: Seen, id: number): Promise<Map<number, Named>> {
  const rows = await principalsOfRecord(call.db, call.me, entity, id)
  const numbers = [...new Set(rows.map((row) => row.principal))]
  const labels = await labelsOf(call, numbers)
  const sourcesOf = (number: number) => rows.filter((row) => row.principal === number)
  return new Map(
    numbers.map((number) => [
      number,
      { labels: labels.get(number) ?? {}, records: recordsInWords(sourcesOf(number), entity) },
    ]),
  )
}

/** Why a person sees the record of these principals, the nearest to the work first; none if they do not. */
export function reasonsOf(person: Caller, principals: Map<number, Named>): Reason[] {
  const reasons = holdingsOf(person).flatMap(({ kind, held, reason, lookup = '', words }) =>
    held.flatMap((id) => {
      const named = principals.get(principal(kind, id))
      return named ? [{ reason, words: words(named.labels[lookup] ?? '', named.records) }] : []
    }),
  )
  return seesAll(person) ? [...reasons, { reason: 'administrator', words: 'Administrator' }] : reasons
}

/** Labels of what principals are about, by lookup. */
async function labelsOf(call: Call, principals: number[]): Promise<Map<number, Record<string, string>>> {
  const wanted = principals.flatMap((number) => {
    const { kind, id } = readPrincipal(number)
    return (kind ? lookupsOf(kind) : []).map((lookup) => ({ number, id, lookup }))
  })
  const found = new Map<number, Record<string, string>>()
  for (const lookup of new Set(wanted.map((one) => one.lookup))) {
    const some = wanted.filter((one) => one.lookup === lookup)
    const ids = some.map(({ id }) => id)
    const items = await choicesOf(call, lookup, { active: 'false' }, ids)
    const labels = new Map(items.map(({ value, label }) => [value, label]))
    for (const { number, id } of some)
      found.set(number, { ...found.get(number), [lookup]: labels.get(id) ?? '' })
  }
  return found
}

/** The records in words: 'this case and issues 3 and 4'. */
function recordsInWords(sources: RecordPrincipal[], entity: Seen): string {
  const isOwn = (one: RecordPrincipal) => one.entity === null || one.entity === entity
  const own = entity === 'client' ? 'the record of the client' : `this ${entity}`
  return joinWords([
    ...(sources.some(isOwn) ? [own] : []),
    ...(['case', 'issue'] as const).flatMap((kind) =>
      kind === entity
        ? []
        : numbersInWords(
            sources.filter((one) => one.entity === kind),
            kind,
          ),
    ),
  ])
}

function numbersInWords(sources: RecordPrincipal[], kind: 'case' | 'issue'): string[] {
  const numbers = sources.filter((one) => one.is_visible).map(({ id }) => String(id))
  const hidden = sources.length - numbers.length
  const others = numbers.length - MAX_NUMBERS
  const named = joinWords([...numbers.slice(0, MAX_NUMBERS), ...(others > 0 ? [`${others} more`] : [])])
  return [
    ...(numbers.length > 0 ? [`${kind}${numbers.length > 1 ? 's' : ''} ${named}`] : []),
    ...(hidden === 1 ? [`${kind === 'issue' ? 'an' : 'a'} ${kind} you cannot see`] : []),
    ...(hidden > 1 ? [`${pluralise(hidden, kind)} you cannot see`] : []),
  ]
}
