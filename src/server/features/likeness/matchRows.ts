import { sql } from 'kysely'
import { nameKey } from '../../../contract/compareKey.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import { candidatesFor } from './candidates.ts'
import { matchesAmong } from './findAlike.ts'
import { nhsDigits } from './numbers.ts'
import type { Person } from './person.ts'

/** A client who may be the person of a row. */
export interface RowMatch {
  id: number
  reasons: string[]
}

const MAX_MATCHES = 10
/** Minimum score of a match, more than that of the same name alone, which should not hold up a row. */
const MIN_SCORE = 15

/**
 * The clients who may be each of many people, in the order of the people: those in the caller's scope by likeness,
 * others only by the same NHS number or the same name and date of birth.
 */
export async function matchRows(call: Call, people: Person[]): Promise<RowMatch[][]> {
  if (people.length === 0) return []
  const visible = visibleTo('client', call.me, 'c')
  // A slip that nothing else finds scores too little for a row.
  const candidates = await candidatesFor(call.db, people, { condition: visible, isThorough: false })
  const matches = people.map((): RowMatch[] => [])
  for (const { place, id, score, reasons } of matchesAmong(people, candidates))
    if (score >= MIN_SCORE) matches[place].push({ id, reasons })
  for (const { place, id, by_nhs } of await elsewhere(call, people))
    matches[place].push({ id, reasons: [by_nhs ? 'same NHS number' : 'same name and date of birth'] })
  return matches.map((found) => found.slice(0, MAX_MATCHES))
}

async function elsewhere({ db, me }: Call, people: Person[]) {
  const searchKeys = people.map(({ first_name, last_name, dob, nhs_number }, place) => ({
    place,
    name: nameKey(first_name ?? '', last_name ?? ''),
    dob,
    nhs: nhsDigits(nhs_number),
  }))
  const hidden = sql`not ${visibleTo('client', me, 'c')}`
  const { rows } = await sql<{ place: number; id: number; by_nhs: boolean }>`
    with people as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(searchKeys)}::jsonb) as p(place int, name text, dob date, nhs text)
    )
    select p.place, c.id, bool_or(c.by_nhs) as by_nhs from people p cross join lateral (
      select c.id, true as by_nhs from clients c where array[digits(c.nhs_number)] && array[p.nhs] and p.nhs is not null and ${hidden}
      union all
      -- Uses the index of names, not of dates: thousands have the same date of birth because theirs is unknown.
      select c.id, false from clients c where c.name_key = p.name and c.dob is not distinct from p.dob and p.dob is not null and ${hidden}
      limit ${sql.lit(MAX_MATCHES)}
    ) c group by p.place, c.id order by p.place, c.id`.execute(db)
  return rows
}
