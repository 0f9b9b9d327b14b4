import { sql } from 'kysely'
import { editableFields } from '../../../contract/entity.ts'
import { pluralise } from '../../../contract/pluralise.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Client } from '../../../contract/types/entities.ts'
import type { Values } from '../../../contract/when.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call, Handler } from '../../core/call.ts'
import { read } from '../../records/verbs/read.ts'
import { compare } from '../likeness/compare.ts'
import { personIn } from '../likeness/person.ts'
import { type ComparedRecord, comparisonOf, type Move } from './comparison.ts'
import { isNotSame, pairOf } from './pairOfClients.ts'

/** The page on which a person merges two clients: what differs, what moves, who sees more or less, and what follows. */
export const compareClients: Handler = async (call) => {
  const [mine, theirs] = await openPair(call)
  const [casesOfMine, moves, not_same] = await Promise.all([
    visibleCases(call, mine.id),
    movesOf(call, theirs.id),
    isNotSame(call.db, mine.id, theirs.id),
  ])
  const fields = editableFields(call.contract.entities.client)
  return {
    ...(await comparisonOf(call, fields, comparedClient(mine), comparedClient(theirs), moves)),
    about: pluralise(casesOfMine, 'case'),
    other_about: pluralise(moves.find(({ id }) => id === 'cases')?.count ?? 0, 'case'),
    not_same,
    ...likenessOf(mine, theirs),
    after: afterwards(mine, theirs),
  }
}

const CERTAINTY = { certain: 'Certainly the same person', likely: 'Likely the same person' }

/** Whether two clients are alike, and why, in words. */
function likenessOf(mine: Client, theirs: Client): { likeness: string | null; reasons: string } {
  const { certainty, reasons } = compare(personIn(mine), personIn(theirs))
  return { likeness: certainty && CERTAINTY[certainty], reasons: reasons.join('; ') }
}

/** A client as it is compared. */
export function comparedClient(client: Client): ComparedRecord {
  const { id, version, first_name, last_name } = client
  const created_at = client.created_at ?? null
  return {
    entity: 'client',
    id,
    version,
    created_at,
    name: `${first_name} ${last_name}`,
    values: client as Values,
  }
}

/** Both clients; the audit has that they were opened. */
async function openPair(call: Call): Promise<[Client, Client]> {
  const { client } = call.contract.entities
  const [{ id }, { id: other }] = await pairOf(call, call.params.other)
  const [mine, theirs] = [id, other].map((one) => read({ ...call, params: { id: one } }, client))
  return [await mine, await theirs]
}

async function visibleCases({ db, me }: Call, client: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from cases k
    where k.client = ${client} and ${visibleTo('case', me, 'k')}`.execute(db)
  return rows[0].n
}

/** What moves with a client, as far as the caller sees it. */
async function movesOf({ db, me }: Call, client: number): Promise<Move[]> {
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
