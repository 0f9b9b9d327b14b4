import type { Row } from '../../core/db.ts'
import type { DemoContext } from './context.ts'
import { AFTERNOON, dateOf, timeOf } from './days.ts'
import type { Story } from './plots.ts'

const OFTEN = 0.12

export function signpostsOf(
  caseRow: Row,
  { began }: Story,
  { random, lookups, words, today }: DemoContext,
): Row[] {
  if (!random.chance(OFTEN)) return []
  const day = Math.min(began + random.between(0, 10), today - 1)
  return random.some(lookups('sp_org'), 2).map(({ value }) => ({
    client: caseRow.client,
    case: caseRow.id,
    sp_org: value,
    sp_type: random.pick(lookups('sp_type')).value,
    date: dateOf(day),
    notes: random.chance(0.5) ? random.pick(words.signposting) : null,
    created_by: caseRow.created_by,
    created_at: timeOf(day, AFTERNOON[0]),
  }))
}
