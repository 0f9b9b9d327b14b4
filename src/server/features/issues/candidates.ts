import { sql } from 'kysely'
import { capitalised } from '../../../contract/quoted.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import { hasNamePart, searchWords } from '../../records/query/query.ts'
import { kilometresBetween } from './postcodeAreas.ts'

/** Number of suggested people, and maximum number of listed ones. */
const SUGGESTIONS = 3
const MAX_CANDIDATES = 100
/** Maximum number of issues that are allocated at once. */
const MAX_ISSUES = 500
/** Maximum distance, in kilometres, at which somebody works nearby and ranks higher. */
const NEARBY_KM = 30
const KM_PER_MILE = 1.609

interface Search {
  /** Words of the name. */
  term: string
  atWork: boolean
  nearby: boolean
}

/** An advocate who works on the services and contracts of all the issues, with the criteria for ranking. */
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
 * Candidates for all of the issues, the best first; the first three are suggested, with reasons, if they are at work.
 * They are ranked by having worked with a client, then by working nearby, then by the fewest open issues. The distance
 * is computed only here, so the list is truncated after sorting and filtering.
 */
export async function candidatesFor(call: Call, issues: number[], { term, atWork, nearby }: Search) {
  if (issues.length > MAX_ISSUES) throw fieldProblem({ issues: [`must be at most ${MAX_ISSUES} issues`] })
  const areas = await areasOf(call, issues)
  const found = await caseworkersFor(call, issues, term)
  const ranked = found
    .map((one) => ({ ...one, distance: distanceTo(areas, one.areas) }))
    .sort((a, b) => rankOf(a) - rankOf(b) || a.open_issues - b.open_issues || a.id - b.id)
  const fewest = Math.min(...ranked.filter(({ leave }) => leave === null).map((one) => one.open_issues))
  return ranked
    .map(({ areas: _, ...one }, i) => ({
      ...one,
      described: one.leave === null ? one.name : `${one.name} (${one.leave})`,
      km: one.distance,
      distance: one.distance === null ? null : Math.round(one.distance / KM_PER_MILE),
      reason: i < SUGGESTIONS && one.leave === null ? reasonOf(one, issues.length, fewest) : null,
    }))
    .filter(({ leave, km }) => (!atWork || leave === null) && (!nearby || isNearby(km)))
    .slice(0, MAX_CANDIDATES)
    .map(({ km: _, ...one }) => one)
}

function isNearby(distance: number | null): boolean {
  return distance !== null && distance <= NEARBY_KM
}

/** The rank of a candidate; lower is better. */
function rankOf({ leave, known, distance }: Candidate & { distance: number | null }): number {
  const away = leave === null ? 0 : 4
  return away + (known > 0 ? 0 : 2) + (isNearby(distance) ? 0 : 1)
}

function reasonOf(
  { known, distance, open_issues }: { known: number; distance: number | null; open_issues: number },
  count: number,
  fewest: number,
): string {
  const reasons = [
    known > 0 && (count === 1 ? 'has worked with this client' : `has worked with ${known} of the clients`),
    isNearby(distance) && 'works nearby',
    open_issues === fewest && 'has the fewest open issues',
  ].filter((reason) => reason !== false)
  const [first = 'works on this service and contract', ...others] = reasons
  return [capitalised(first), ...others].join(', ')
}

/** Average distance, over the areas, to the nearest area where somebody works already; null if unknown. */
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
  return rows.map((row) => row.area).filter((one) => one !== null)
}

async function caseworkersFor({ db, me }: Call, issues: number[], term: string): Promise<Candidate[]> {
  const words = searchWords(term).map((word) => hasNamePart(sql`w.search_key`, word))
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
        where x.created_by = a.id and x.error_reason is null and x.done_on >= date_trunc('month', current_date)) as hours,
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
