import { sql } from 'kysely'
import { addDays } from '../../../contract/days.ts'
import { editableFields } from '../../../contract/entity.ts'
import { plainLabel } from '../../../contract/filledTexts.ts'
import { pluralise } from '../../../contract/pluralise.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Client } from '../../../contract/types/entities.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call, Handler } from '../../core/call.ts'
import { today } from '../../core/today.ts'
import { formatDate, formatValue } from '../../records/audit/formatValue.ts'
import { lookupLabels } from '../../records/audit/lookupLabels.ts'
import { read } from '../../records/verbs/read.ts'
import { differencesOf } from './choices.ts'
import { UNDO_DAYS } from './forgetMerges.ts'
import { isNotSame, pairOf } from './pairOfClients.ts'
import { sightChanges } from './sightChanges.ts'

/** The page on which a person merges two clients: what differs, what moves, who sees more or less, and what follows. */
export const compareClients: Handler = async (call) => {
  const [mine, theirs] = await openPair(call)
  const [rows, casesOfMine, moves, sight, not_same] = await Promise.all([
    rowsOf(call, mine, theirs),
    visibleCases(call, mine.id),
    movesOf(call, theirs.id),
    sightChanges(call, mine, theirs),
    isNotSame(call.db, mine.id, theirs.id),
  ])
  const casesOfTheirs = moves.find(({ id }) => id === 'cases')?.count ?? 0
  const fields = editableFields(call.contract.entities.client).length
  return {
    id: mine.id,
    other: theirs.id,
    version: mine.version,
    other_version: theirs.version,
    name: nameOf(mine),
    other_name: nameOf(theirs),
    about: pluralise(casesOfMine, 'case'),
    other_about: pluralise(casesOfTheirs, 'case'),
    not_same,
    rows,
    same: fields - rows.length,
    moves: moves
      .filter(({ count }) => count > 0)
      .map(({ id, count, noun }) => ({ id, label: pluralise(count, noun) })),
    sees_more: sight.more,
    sees_less: sight.less,
    after: afterwards(mine, theirs),
    undo_until: formatDate(addDays(today(call.settings.TIME_ZONE), UNDO_DAYS)),
  }
}

/** Both clients; the audit has that they were opened. */
async function openPair(call: Call): Promise<[Client, Client]> {
  const { client } = call.contract.entities
  const [{ id }, { id: other }] = await pairOf(call, call.params.other)
  const [mine, theirs] = [id, other].map((one) => read({ ...call, params: { id: one } }, client))
  return [await mine, await theirs]
}

function nameOf({ first_name, last_name }: Client): string {
  return `${first_name} ${last_name}`
}

async function rowsOf(call: Call, mine: Client, theirs: Client) {
  const differences = await differencesOf(call, mine, theirs)
  const values = differences.flatMap(({ field, ...one }) =>
    [one.mine, one.theirs].map((v) => [field, v] as [typeof field, unknown]),
  )
  const labels = await lookupLabels(call, values)
  return differences.map(({ field, both, choice, reason, ...one }) => ({
    id: field.name,
    label: plainLabel(field.label),
    mine: formatValue(one.mine, field, labels),
    theirs: formatValue(one.theirs, field, labels),
    may_both: both !== undefined,
    choice,
    reason,
  }))
}

async function visibleCases({ db, me }: Call, client: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from cases k
    where k.client = ${client} and ${visibleTo('case', me, 'k')}`.execute(db)
  return rows[0].n
}

/** What moves with a client, as far as the caller sees it. */
async function movesOf(
  { db, me }: Call,
  client: number,
): Promise<{ id: string; count: number; noun: string }[]> {
  const isOf = (row: string) => sql`${sql.ref(`${row}.client`)} = ${client}`
  const counts = {
    cases: ['case', sql`cases r where ${isOf('r')} and ${visibleTo('case', me, 'r')}`],
    issues: ['issue', sql`issues r where ${isOf('r')} and ${visibleTo('issue', me, 'r')}`],
    actions: ['action', sql`actions r where ${isOf('r')} and ${visibleTo('action', me, 'r')}`],
    documents: [
      'document',
      sql`issue_documents d join issues r on r.id = d.issue where ${isOf('r')} and ${visibleTo('issue', me, 'r')}`,
    ],
    tasks: [
      'open task',
      sql`tasks r where ${isOf('r')} and r.done_at is null and ${visibleTo('task', me, 'r')}`,
    ],
    deadlines: [
      'open deadline',
      sql`deadlines r where ${isOf('r')} and r.is_open and ${visibleTo('deadline', me, 'r')}`,
    ],
    risks: ['risk', sql`risks r where ${isOf('r')}`],
    communication: ['communication issue', sql`communication_issues r where ${isOf('r')}`],
    signposts: [
      'signposting entry',
      sql`signposts r where ${isOf('r')} and ${visibleTo('signpost', me, 'r')}`,
    ],
    referrals: [
      'referral',
      sql`referral_requests r where r.from_client = ${client} and ${visibleTo('clientReferral', me, 'r')}`,
    ],
  } as const
  const columns = Object.entries(counts).map(
    ([name, [, from]]) => sql`(select count(*)::int from ${from}) as ${sql.ref(name)}`,
  )
  const { rows } = await sql<Record<string, number>>`select ${sql.join(columns)}`.execute(db)
  return Object.entries(counts).map(([id, [noun]]) => ({ id, count: rows[0][id], noun }))
}

function afterwards(mine: Client, theirs: Client): string[] {
  return [
    `${theirs.id} leads to ${mine.id} for ever, and the page says that it was merged.`,
    'Alerts and deadlines follow the cases. Nobody is notified, and no step is planned once more.',
    ...(mine.status !== STATUS.active && theirs.status === STATUS.active
      ? [`${mine.id} is retired, and is active again.`]
      : []),
  ]
}
