import type { Alike as AlikeRow } from '../../../contract/types/entities.ts'
import type { Call } from '../../core/call.ts'
import { auditSearch } from '../../records/audit/auditSearch.ts'
import { findAlike, NO_WORK } from './findAlike.ts'
import { knownElsewhere } from './knownElsewhere.ts'
import type { Person } from './person.ts'

const MAX_ALIKE = 10

/**
 * The clients who may be a person, and the ids of those out of scope with the same name and date of birth; nobody if
 * the person has neither a name nor a number. The search is audited.
 */
export async function alikeRows(call: Call, person: Person): Promise<AlikeRow[]> {
  const { first_name, last_name, nhs_number, phone, mobile } = person
  if (![first_name, last_name, nhs_number, phone, mobile].some(Boolean)) return []
  await auditSearch(call, 'client', { term: Object.values(person).join(', ') })
  const found = await findAlike(call, person, { limit: MAX_ALIKE })
  const elsewhere = await knownElsewhere(call, person)
  return [
    ...found.map(({ client, ...likeness }) => ({ ...client, ...likeness, ...NO_WORK, visible: true })),
    ...hiddenRows(elsewhere),
  ]
}

/** Rows of clients out of scope: their ids and nothing more. */
export function hiddenRows(ids: number[]): AlikeRow[] {
  return ids.map((id) => ({ id, ...HIDDEN }))
}

/** The other properties of a row for a client out of scope. */
const HIDDEN = {
  first_name: null,
  last_name: null,
  known_as: null,
  dob: null,
  dod: null,
  nhs_number: null,
  phone: null,
  mobile: null,
  postcode: null,
  address: null,
  status: null,
  certainty: 'elsewhere',
  score: null,
  reasons: [],
  visible: false,
  alerts: [],
  ...NO_WORK,
} satisfies Omit<AlikeRow, 'id'>
