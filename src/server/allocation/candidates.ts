import { sql } from 'kysely'
import { isSet } from '../../contract/when.ts'
import type { Call } from '../call.ts'
import { fieldProblem } from '../problems.ts'
import { escapeLike, wordsOf } from '../query.ts'
import { visibleTo } from '../scope.ts'
import { kilometresBetween } from './postcodeAreas.ts'

/** So many people are suggested; so many are listed. */
const SUGGESTED = 3
const MOST = 100
/** So many issues are allocated at once. */
const MOST_ISSUES = 500
/** Somebody who works this near, in kilometres, is suggested before others. */
const NEAR = 30

/** Which of them are asked for. */
interface Search {
  /** Words of the name. */
  term: string
  atWork: boolean
  nearby: boolean
}

/** An advocate who works on the services and contracts of all the issues, and what speaks for them. */
interface Candidate {
  id: number
  name: string
  team: string | null
  leave: string | null
  open_issues: number
  urgent_issues: number
  /** Hours spent on actions this month. */
  hours: number
  /** Clients of the issues whom this person has worked with. */
  known: number
  /** Postcode areas of their open issues. */
  areas: string[]
}

/**
 * The people who could take all of the issues, the best first: the first three that are at work are suggested, with
 * reasons. Who has worked with a client comes first, then who works near, then who has the fewest open issues. The
 * distance is known only here, so the list is cut after it is sorted and filtered.
 */
export async function candidatesFor(call: Call, issues: number[], { term, atWork, nearby }: Search) {
  if (issues.length > MOST_ISSUES) throw fieldProblem({ issues: [`must be at most ${MOST_ISSUES} issues`] })
  const areas = await areasOf(call, issues)
  const found = await caseworkersFor(call, issues, term)
  const ranked = found
    .map((one) => ({ ...one, distance: distanceTo(areas, one.areas) }))
    .sort((a, b) => rankOf(a) - rankOf(b) || a.open_issues - b.open_issues || a.id - b.id)
  const fewest = Math.min(...ranked.filter(({ leave }) => leave === null).map((one) => one.open_issues))
  return ranked
    .map(({ areas: _, ...one }, i) => ({
      ...one,
      reason: i < SUGGESTED && one.leave === null ? reasonOf(one, issues.length, fewest) : null,
    }))
    .filter(({ leave, distance }) => (!atWork || leave === null) && (!nearby || isNear(distance)))
    .slice(0, MOST)
}

/** Whether somebody works so near, in kilometres, that they are suggested for it. */
function isNear(distance: number | null): boolean {
  return distance !== null && distance <= NEAR
}

/** The lower, the better. */
function rankOf({ leave, known, distance }: Candidate & { distance: number | null }): number {
  const away = leave === null ? 0 : 4
  return away + (known > 0 ? 0 : 2) + (isNear(distance) ? 0 : 1)
}

function reasonOf(
  { known, distance, open_issues }: { known: number; distance: number | null; open_issues: number },
  count: number,
  fewest: number,
): string {
  const reasons = [
    known > 0 && (count === 1 ? 'has worked with this client' : `has worked with ${known} of the clients`),
    isNear(distance) && 'works nearby',
    open_issues === fewest && 'has the fewest open issues',
  ].filter((reason) => reason !== false)
  const [first = 'works on this service and contract', ...others] = reasons
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(', ')
}

/** Kilometres from where somebody works already, over the areas in the middle; null where either is not known. */
function distanceTo(areas: string[], own: string[]): number | null {
  const nearest = areas
    .map((area) => own.map((one) => kilometresBetween(area, one)).filter((km) => km !== undefined))
    .filter((distances) => distances.length > 0)
    .map((distances) => Math.min(...distances))
  if (nearest.length === 0) return null
  return Math.round(nearest.reduce((sum, one) => sum + one, 0) / nearest.length)
}

const area = sql`upper(substring(c.postcode from '^[A-Za-z]{1,2}'))`

async function areasOf({ db, me }: Call, issues: number[]): Promise<string[]> {
  const { rows } = await sql<{ area: string | null }>`select distinct ${area} as area
    from issues i join clients c on c.id = i.client
    where i.id = any(${issues}::int[]) and ${visibleTo('issue', me, 'i')}`.execute(db)
  return rows.map((row) => row.area).filter(isSet) as string[]
}

async function caseworkersFor({ db, me }: Call, issues: number[], term: string): Promise<Candidate[]> {
  const words = wordsOf(term).map((word) => sql`w.search like '%' || searchable(${escapeLike(word)}) || '%'`)
  const { rows } = await sql<Candidate>`
    with chosen as materialized (
      select i.id, i.service, i.contract, i.client from issues i
      where i.id = any(${issues}::int[]) and ${visibleTo('issue', me, 'i')}
    ), able as materialized (
      select w.id, w.name, w.team, w.leave from caseworkers w
      where (select array_agg(distinct service) from chosen) <@ w.services
        and (select array_agg(distinct contract) from chosen) <@ w.contracts
        and ${sql.join([sql`true`, ...words], sql` and `)}
    )
    select a.*, o.open_issues, o.urgent_issues, o.areas,
      (select round(coalesce(sum(x.time_taken), 0) / 3600.0, 1)::float8 from actions x
        where x.created_by = a.id and x.done_on >= date_trunc('month', current_date)) as hours,
      (select count(distinct client)::int from chosen g where exists (
        select from issues i where i.client = g.client and i.advocate = a.id and i.id <> g.id
          and ${visibleTo('issue', me, 'i')})) as known
    from able a
    cross join lateral (
      select count(*)::int as open_issues, count(*) filter (where k.is_urgent = 'yes')::int as urgent_issues,
        coalesce(array_agg(distinct ${area}) filter (where c.postcode is not null), '{}') as areas
      from issues i join cases k on k.id = i."case" join clients c on c.id = i.client
      where i.advocate = a.id and i.is_opened and i.status = 1
    ) o`.execute(db)
  return rows
}
