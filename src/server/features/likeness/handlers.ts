import { sql } from 'kysely'
import { readPersonTerm } from '../../../contract/personTerm.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Alike as AlikeRow } from '../../../contract/types/entities.ts'
import { seesOwnOnly } from '../../access/callerRights.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call, Handler } from '../../core/call.ts'
import { today } from '../../core/today.ts'
import { auditSearch } from '../../records/audit/auditSearch.ts'
import { visibleRemaining } from '../../records/merged/mergedRecords.ts'
import { alikeRows, hiddenRows } from './alikeRows.ts'
import { alikeClients, type Work } from './findAlike.ts'
import { findPeople } from './findPeople.ts'
import { knownElsewhere } from './knownElsewhere.ts'
import { personIn } from './person.ts'

const MAX_FOUND = 8

/** The clients who may be the person of the body. */
export const alike: Handler = (call) => alikeRows(call, personIn(call.query))

/** The clients whom a search in one box finds: names, a date or year of birth, a number or a place, in any order. */
export const find: Handler = async (call): Promise<AlikeRow[]> => {
  const text = String(call.query.term ?? '')
  const term = readPersonTerm(text, today(call.settings.TIME_ZONE))
  if (Object.keys(term).length === 1 && term.words.join('').length < 2) return []
  await auditSearch(call, 'client', { term: text })
  if (term.id !== undefined) term.id = (await visibleRemaining(call, 'client', term.id)) ?? term.id
  const found = await findPeople(call, term, MAX_FOUND)
  const ids = found.map(({ id }) => id)
  const [clients, work] = [await alikeClients(call, ids), await workOf(call, ids)]
  const [last_name, ...firsts] = term.words.toReversed()
  const elsewhere = await knownElsewhere(call, {
    first_name: firsts.toReversed().join(' '),
    last_name,
    dob: term.dob,
  })
  const rows = found.flatMap(({ id, ...likeness }): AlikeRow[] => {
    const client = clients.get(id)
    return client ? [{ ...client, ...work.get(id)!, ...likeness, visible: true }] : []
  })
  return [...rows, ...hiddenRows(elsewhere)]
}

/**
 * The open cases of some clients, the newest first, and the day of their last contact, as far as the caller sees them.
 */
async function workOf({ db, me }: Call, ids: number[]): Promise<Map<number, Work>> {
  const contact = seesOwnOnly(me)
    ? sql`null`
    : sql`(select max(i.last_contact) from issues i where i.client = c.id and ${visibleTo('issue', me, 'i')})`
  const { rows } = await sql<Work & { id: number }>`select c.id, ${contact} as last_contact,
      (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'case_type_label', t.label) order by k.id desc), '[]')
        from cases k join case_types t on t.id = k.case_type
        where k.client = c.id and k.status = ${sql.lit(STATUS.active)} and (k.open_issues > 0 or k.issue_count = 0)
          and ${visibleTo('case', me, 'k')}) as open_cases
    from unnest(${ids}::int[]) c(id)`.execute(db)
  return new Map(rows.map(({ id, ...work }) => [id, work]))
}
