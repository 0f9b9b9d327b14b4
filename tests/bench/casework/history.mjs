import { query } from '../calls/database.mjs'

const ENTRIES = 2000
/** One entry of so many is a change of outcomes, the others are actions. */
const OUTCOME_EVERY = 10
const OUTCOMES = ENTRIES / OUTCOME_EVERY
const OWN = ENTRIES - OUTCOMES
const DAYS = 1000

// The one client is somebody with an open issue; the issue that is saved is somebody else's.
const WHO = `
  with open as (
    select k.client, i."case", i.id as issue, i.answers ? 'wishes' as has_wishes
    from issues i join cases k on k.id = i."case" where i.is_opened and i.status = 1 and i.advocate is not null
  )
  select one.*, other.issue as saved from (select * from open order by client limit 1) one,
    lateral (select issue from open where client > one.client and has_wishes order by client limit 1) other`

// Oldest first, as they come in: the one client's own actions stand evenly among everybody's.
const ACTIONS = `
  insert into actions (client, "case", issue, type, done_on, time_taken, notes, created_by, created_at, updated_at)
  with place as (
    select row_number() over (order by md5(i.id::text)) - 1 as at, k.client, i."case", i.id as issue,
      coalesce(i.advocate, i.created_by) as staff
    from issues i join cases k on k.id = i."case" where k.client <> $2
  ), type as (
    select row_number() over (order by value) - 1 as at, value from lookup where kind = 'action_type'
  ), line as (
    select n, n * $3::bigint / $1::bigint <> (n - 1) * $3::bigint / $1::bigint as own,
      current_date - (($1::bigint - n) * ${DAYS} / $1::bigint)::int as day
    from generate_series(1, $1::int) n
  )
  select case when l.own then $2 else p.client end, case when l.own then $4 else p."case" end,
    case when l.own then $5 else p.issue end, t.value, l.day, 900 * (1 + l.n % 8),
    'Went through the letter together, wrote down what must be said at the next meeting, and rang the ward. ' || l.n,
    p.staff, l.day + interval '14 hours', l.day + interval '14 hours'
  from line l
  join place p on p.at = l.n % (select count(*) from place)
  join type t on t.at = l.n % (select count(*) from type)
  order by l.n`

const AUDIT = `
  insert into audit (at, staff, action, entity, record, version, changes, client, "case", issue)
  select created_at, created_by, 'create', 'action', id, 1, null::jsonb, client, "case", issue from actions
  union all
  select current_date - n * ${DAYS} / ${OUTCOMES} + interval '15 hours', 1, 'update', 'issue', $3, 2, jsonb_build_object(
    'actual_outcomes', jsonb_build_object('from', '[]'::jsonb, 'to', jsonb_build_array(
      jsonb_build_object('details', 'Heard at the meeting', 'date', current_date))),
    'ndti_outcomes', jsonb_build_object('from', '[]'::jsonb, 'to', jsonb_build_array(
      jsonb_build_object('type', 1, 'date', current_date)))), $1, $2, $3
  from generate_series(0, ${OUTCOMES - 1}) n
  order by 1`

const CONTACTS = `
  update issues i set last_contact = t.day, next_task = null, next_step = null, next_due = null
  from (select issue, max(done_on) as day from actions group by issue) t where t.issue = i.id`

/**
 * Puts so many actions into a filled database in place of its own, with the audit that their calls would have written, so
 * that one client's chronology has 2,000 entries; answers `{client, issue}`, the latter one to save, of another client.
 */
export async function fillHistory(url, actions) {
  const [{ client, case: file, issue, saved }] = await query(url, WHO)
  await query(url, 'truncate actions, tasks restart identity')
  await query(url, `delete from audit where entity = 'action' or client = $1`, [client])
  // What the triggers would do is in the rows, and a million of them would take minutes.
  const quick = `set session_replication_role = replica`
  await query(url, ACTIONS, [actions, client, OWN, file, issue], quick)
  await query(url, AUDIT, [client, file, issue], quick)
  await query(url, CONTACTS, [], quick)
  return { client, issue: saved }
}
