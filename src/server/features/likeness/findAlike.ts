import { sql } from 'kysely'
import type { Alike as AlikeRow } from '../../../contract/types/entities.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import { alertMarks } from '../../records/query/alertMarks.ts'
import { type Candidate, candidatesFor } from './candidates.ts'
import { compare, type Likeness } from './compare.ts'
import type { Person } from './person.ts'

/** What a list shows of a client, to tell people apart. */
export type AlikeClient = Omit<AlikeRow, 'certainty' | 'score' | 'reasons' | 'visible' | keyof Work>

/** A client's open cases and last contact, which only the box that finds people shows. */
export type Work = Pick<AlikeRow, 'open_cases' | 'last_contact'>
export const NO_WORK: Work = { open_cases: [], last_contact: null }

/** A client who is certainly or likely the same person. */
export interface Alike {
  client: AlikeClient
  certainty: 'certain' | 'likely'
  score: number
  /** In words: 'same date of birth', 'surname one letter apart'. */
  reasons: string[]
}

/** A candidate who is certainly or likely the same person. */
export type Match = Omit<Alike, 'client'> & { id: number; place: number }

/** The clients in the caller's scope who are certainly or likely a person, the most alike first. */
export async function findAlike(
  call: Call,
  person: Person,
  { limit, except }: { limit: number; except?: number },
): Promise<Alike[]> {
  const visible = visibleTo('client', call.me, 'c')
  const candidates = await candidatesFor(call.db, [person], { condition: visible })
  const matches = matchesAmong(
    [person],
    candidates.filter(({ id }) => id !== except),
  ).slice(0, limit)
  if (matches.length === 0) return []
  const clients = await alikeClients(
    call,
    matches.map(({ id }) => id),
  )
  return matches.flatMap(({ id, certainty, score, reasons }) => {
    const client = clients.get(id)
    return client ? [{ client, certainty, score, reasons }] : []
  })
}

/** What a list shows of clients in the caller's scope, by their ids. */
export async function alikeClients({ db, me }: Call, ids: number[]): Promise<Map<number, AlikeClient>> {
  const { rows } =
    await sql<AlikeClient>`select c.id, c.first_name, c.last_name, c.known_as, c.dob, c.dod, c.nhs_number,
      c.phone, c.mobile, c.postcode, c.address, c.status, ${alertMarks(me, sql.ref('c.id'))} as alerts
    from clients c where c.id = any(${ids}::int[]) and ${visibleTo('client', me, 'c')}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Compares candidates with the people they were found for; the certain ones first, then the most alike. */
export function matchesAmong(people: Person[], candidates: Candidate[]): Match[] {
  const matches = candidates.flatMap((candidate) => {
    const { place, id } = candidate
    const { certainty, score, reasons }: Likeness = compare(people[place], candidate)
    return certainty ? [{ place, id, certainty, score, reasons }] : []
  })
  const rank = ({ certainty }: Match) => (certainty === 'certain' ? 0 : 1)
  return matches.sort((a, b) => rank(a) - rank(b) || b.score - a.score || b.id - a.id)
}
