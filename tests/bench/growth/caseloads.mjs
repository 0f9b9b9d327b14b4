import { query } from '../calls/database.mjs'

const READINGS = 7

/** The columns that say whose a row is, by table, and the one that says of which client it is. */
const OWNERS = {
  issues: { client: 'client', owners: ['advocate', 'created_by'] },
  cases: { client: 'client', owners: ['created_by'] },
  clients: { client: 'id', owners: ['created_by'] },
  actions: { client: 'client', owners: ['created_by'] },
  tasks: { client: 'client', owners: ['assignee', 'created_by'] },
}

/**
 * Leaves people of the large database as many issues as their counterparts have in the small one, and gives those of
 * all further clients to somebody else, with what else is theirs of these clients; `ids` are the numbers of the measured
 * in each, by role. A hub and the unallocated issues of each service shrink likewise.
 */
export async function evenCaseloads(small, large, ids) {
  const teams = await bothTeams(small, large, ids)
  const other = await somebodyElse(large, teams[1])
  const hubs = [await hubOf(small, ids[0].hub), await hubOf(large, ids[1].hub)].map((hub) => `hub = ${hub}`)
  const lastOfHub = await lastClient(small, large, ...hubs)
  await query(large, `update issues set hub = null where ${hubs[1]} and client > $1`, [lastOfHub])
  for (const [i, person] of teams[1].entries()) {
    const last = person === ids[1].hub ? lastOfHub : await lastOf(small, large, teams[0][i], person)
    for (const [table, { client, owners }] of Object.entries(OWNERS))
      for (const owner of owners)
        await query(large, `update ${table} set ${owner} = $1 where ${owner} = $2 and ${client} > $3`, [
          other,
          person,
          last,
        ])
  }
  for (const { service } of await query(small, 'select distinct service from issues')) {
    const unallocated = `advocate is null and service = ${service}`
    const last = await lastClient(small, large, unallocated)
    await query(large, `update issues set advocate = $1 where ${unallocated} and client > $2`, [other, last])
  }
  await query(large, 'vacuum analyze')
}

/** The last client of whom a person keeps what is theirs: by the issues that they have, or made where they have none. */
async function lastOf(small, large, one, same) {
  return (
    (await lastClient(small, large, `advocate = ${one}`, `advocate = ${same}`)) ??
    (await lastClient(small, large, `created_by = ${one}`, `created_by = ${same}`))
  )
}

// The issues i that a person $1, who leads $2, sees who is no administrator.
const SEEN = `issues i join staff me on me.id = $1 where i.advocate = any($2) or i.created_by = me.id
  or (3 = any(me.groups) and i.hub = me.hub)
  or (3 <> all(me.groups) and i.advocate is null and i.service = any(me.services))`

/** How many issues a person sees who is no administrator, for the report. */
export async function caseloadOf(url, id) {
  const values = [id, await teamOf(url, [id])]
  const [{ n }] = await query(url, `select count(*)::int as n from ${SEEN}`, values)
  return n
}

/** Milliseconds of reading the clients of what a person sees, whose ids are known, in PostgreSQL: the least of several. */
export async function readingClients(url, id) {
  const values = [id, await teamOf(url, [id])]
  const [{ ids }] = await query(url, `select array_agg(distinct i.client) as ids from ${SEEN}`, values)
  const times = []
  for (let i = 0; i < READINGS; i++) {
    const [{ 'QUERY PLAN': plan }] = await query(
      url,
      'explain (analyze, timing off, format json) select last_name, notes from clients where id = any($1)',
      [ids],
    )
    times.push(plan[0]['Execution Time'])
  }
  return Math.min(...times)
}

/** The last client up to whom as many issues meet the second condition as meet the first in the small database. */
async function lastClient(small, large, inSmall, inLarge = inSmall) {
  const [{ n }] = await query(small, `select count(*)::int as n from issues where ${inSmall}`)
  const [last] = await query(
    large,
    `select client from issues where ${inLarge} order by client, id offset $1 limit 1`,
    [Math.max(0, n - 1)],
  )
  return last?.client
}

async function bothTeams(small, large, ids) {
  const [one, two] = [await teamOf(small, Object.values(ids[0])), await teamOf(large, Object.values(ids[1]))]
  if (one.length !== two.length) throw new Error('The teams of the measured managers differ in size')
  return [one, two]
}

/** The people and everybody below them. */
async function teamOf(url, people) {
  const rows = await query(
    url,
    `with recursive team as (
      select id from staff where id = any($1) union select s.id from staff s join team on s.line_manager = team.id
    ) select id from team order by id`,
    [people],
  )
  return rows.map(({ id }) => id)
}

async function somebodyElse(url, team) {
  const [{ id }] = await query(
    url,
    `select max(id) as id from staff where groups = '{4}' and status = 1 and id <> all($1)`,
    [team],
  )
  return id
}

async function hubOf(url, person) {
  const [{ hub }] = await query(url, 'select hub from staff where id = $1', [person])
  return hub
}
