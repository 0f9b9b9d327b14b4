import { STATUS } from '../../../contract/status.ts'
import type { Row } from '../../core/db.ts'
import type { Client } from './client.ts'
import type { DemoContext } from './context.ts'

const SHARE_ANSWERED = 0.7
const WAYS = ['yes', 'no', 'no', 'not_known']

/** The monitoring of a case, from its client; empty if they did not consent. */
export function caseMonitoring(caseRow: Row, client: Client, { random, lookups }: DemoContext): Row {
  const isAnswered = random.chance(SHARE_ANSWERED)
  const answer = <T>(value: T) => (isAnswered ? value : null)
  return {
    case: caseRow.id,
    gender: answer(client.gender),
    ethnicity: answer(client.ethnicity),
    religion: answer(client.religion),
    sexual_orientation: answer(client.sexual_orientation),
    disability: answer(random.pick(WAYS)),
    carer: answer(random.pick(WAYS)),
    client_groups: isAnswered ? random.some(lookups('client_group'), 2).map(({ value }) => value) : [],
    consent_to_monitoring: isAnswered ? 'yes' : random.chance(0.5) ? 'no' : null,
  }
}

/** The monitoring of an issue: changes for the person, if it is closed. */
export function issueMonitoring(issue: Row, { random, lookups }: DemoContext): Row {
  const isAnswered = !issue.is_opened && issue.status === STATUS.active && random.chance(SHARE_ANSWERED)
  const some = (kind: string, most: number) =>
    isAnswered && random.chance(0.7)
      ? random.some(
          lookups(kind).filter(({ label }) => label !== 'None recorded'),
          most,
        )
      : []
  const values = (kind: string, most = 2) => some(kind, most).map(({ value }) => value)
  return {
    issue: issue.id,
    improved_opp: values('improved_opp'),
    injustice_type: values('injustice_type'),
    independency_type: values('independency_type'),
    upheld_rights: values('upheld_rights'),
    notes: isAnswered && random.chance(0.2) ? 'As the person told it at the last meeting.' : null,
  }
}
