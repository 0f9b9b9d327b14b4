import { readPersonTerm } from '../../../contract/personTerm.ts'
import type { Alike as AlikeRow } from '../../../contract/types/entities.ts'
import type { Handler } from '../../core/call.ts'
import { today } from '../../core/today.ts'
import { auditSearch } from '../../records/audit/auditSearch.ts'
import { visibleRemaining } from '../../records/merged/mergedRecords.ts'
import { alikeRows, hiddenRows } from './alikeRows.ts'
import { alikeClients } from './findAlike.ts'
import { findPeople } from './findPeople.ts'
import { knownElsewhere } from './knownElsewhere.ts'
import { personIn } from './person.ts'
import { workOf } from './workOf.ts'

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
