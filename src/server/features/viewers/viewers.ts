import { sql } from 'kysely'
import { allows } from '../../../contract/access.ts'
import type { Viewer } from '../../../contract/types/entities.ts'
import { asReader, REASONS } from '../../access/principals.ts'
import type { Seen } from '../../access/recordPrincipals.ts'
import { visibleTo } from '../../access/scope.ts'
import { callersWho } from '../../access/session.ts'
import type { Call } from '../../core/call.ts'
import { hasNamePart, searchWords } from '../../records/query/query.ts'
import { paginationOf, requestedPage } from '../../records/verbs/list.ts'
import { fetch } from '../../records/verbs/read.ts'
import { namedPrincipals, type Reason, reasonsOf } from './reasons.ts'

/** Reasons of one person that are written out. */
const MAX_REASONS = 5

/** A page of the people who can see a record, by their first reason, with the number of people for each. */
export async function viewersOf(call: Call, entity: Seen) {
  const { id } = await fetch(call, call.contract.entities[entity], call.params.id)
  const found = await peopleWhoSee(call, entity, id)
  const { p, size } = requestedPage(call)
  const page = found.slice((p - 1) * size, p * size)
  return {
    data: await withPages(call, page),
    pagination: paginationOf(call, found.length, p, size),
    people: found.length,
    groups: Object.fromEntries(REASONS.map((reason) => [reason, countOf(found, reason)])),
  }
}

/** Why the caller can see a record. */
export async function ownReasons({ me, ...call }: Call, entity: Seen) {
  const { id } = await fetch({ me, ...call }, call.contract.entities[entity], call.params.id)
  const reasons = reasonsOf(me, await namedPrincipals({ me, ...call }, entity, id))
  return wordsOf(reasons).map((label, i) => ({ id: i + 1, label }))
}

type Listed = Omit<Viewer, 'page'>

async function peopleWhoSee(call: Call, entity: Seen, id: number): Promise<Listed[]> {
  const { contract, db, query, settings } = call
  const named = searchWords(String(query.term ?? '')).map((word) => hasNamePart(sql`a.search_key`, word))
  const [people, principals] = await Promise.all([callersWho(db, named), namedPrincipals(call, entity, id)])
  const { roles } = contract.endpoints[`${entity}s.read`]
  const listed = people
    .filter(({ groups }) => allows(contract.roles, roles, groups))
    .flatMap((person) => {
      const reasons = reasonsOf(asReader(person, settings), principals)
      if (reasons.length === 0) return []
      const name = `${person.first_name} ${person.last_name}`.trim()
      const [{ reason }] = reasons
      return [{ id: person.id, name, groups: person.groups, reason, words: wordsOf(reasons) }]
    })
  return REASONS.flatMap((reason) => listed.filter((one) => one.reason === reason))
}

/** Adds the address of each person whose record the caller may open. */
async function withPages({ db, me }: Call, listed: Listed[]): Promise<Viewer[]> {
  const { rows } = await sql<{ id: number }>`select a.id from staff a
    where a.id = any(${listed.map(({ id }) => id)}::int[]) and ${visibleTo('staff', me, 'a')}`.execute(db)
  const visible = new Set(rows.map(({ id }) => id))
  return listed.map((one) => ({ ...one, page: visible.has(one.id) ? `/advocate/${one.id}` : null }))
}

function countOf(listed: Listed[], reason: string): number {
  return listed.filter((one) => one.reason === reason).length
}

/** The first reasons in words, and the number of the others. */
function wordsOf(reasons: Reason[]): string[] {
  const others = reasons.length - MAX_REASONS
  const words = reasons.slice(0, MAX_REASONS).map((one) => one.words)
  return others > 0 ? [...words, others === 1 ? '1 more reason' : `${others} more reasons`] : words
}
