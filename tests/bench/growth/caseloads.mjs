import { query } from '../calls/database.mjs'

const READINGS = 7
/** Clients of so many issues are kept, as many of each on both sides, so that they have as many issues too. */
const ISSUES = [1, 2, 3, 4, 5]

/** The columns that say who made or has a row, by table, and the one that says of which client it is. */
const OWNERS = {
  issues: { client: 'client', owners: ['created_by'] },
  cases: { client: 'client', owners: ['created_by'] },
  clients: { client: 'id', owners: ['created_by'] },
  actions: { client: 'client', owners: ['created_by'] },
  tasks: { client: 'client', owners: ['assignee', 'created_by'] },
}

/**
 * Leaves people of both databases as many clients, with all issues of these, and gives what else was theirs to somebody
 * else; `ids` are the numbers of the measured in each, by role. What a hub has, and what a service has without an
 * advocate, shrinks likewise. The clients that are left lie as far apart as they did.
 */
export async function evenCaseloads(urls, ids) {
  const sides = []
  for (const [i, url] of urls.entries()) sides.push({ url, ids: ids[i], ...(await peopleOf(url, ids[i])) })
  for (const { url } of sides)
    await query(url, 'create table kept (client int primary key, kind text not null, owner int not null)')
  const [{ owners }, other] = sides
  if (owners.length !== other.owners.length)
    throw new Error('The teams of the measured managers differ in size')
  for (const [i] of owners.entries())
    for (const issues of ISSUES) {
      const counts = []
      for (const { url, owners } of sides) counts.push(await clientsOf(url, owners[i], issues))
      for (const { url, owners } of sides) await keep(url, owners[i], issues, Math.min(...counts))
    }
  for (const side of sides) await giveAway(side)
}

/** Whose clients are counted: services without an advocate, the hub, everybody of the team; and the others. */
async function peopleOf(url, { manager, advocate, hub }) {
  const team = await teamOf(url, [manager, advocate, hub])
  const services = await query(url, 'select distinct service from issues where advocate is null order by 1')
  const [{ hub: place }] = await query(url, 'select hub from staff where id = $1', [hub])
  const [{ id: other }] = await query(
    url,
    `select max(id) as id from staff where groups = '{4}' and status = 1 and id <> all($1)`,
    [team],
  )
  const owners = [
    ...services.map(({ service }) => ({
      kind: 'service',
      owner: service,
      where: `advocate is null and service = ${service}`,
    })),
    ...team
      .filter((id) => id !== hub)
      .map((id) => ({ kind: 'advocate', owner: id, where: `advocate = ${id}` })),
    { kind: 'hub', owner: hub, where: `hub = ${place}` },
  ]
  return { team, place, other, owners }
}

/** The clients of so many issues that an owner has, and nobody before them. */
const notKept = ({ where }, issues) =>
  `select distinct client from issues i where ${where} and not exists (select from kept k where k.client = i.client)
    and (select count(*) from issues o where o.client = i.client) = ${issues}`

async function clientsOf(url, whose, issues) {
  const [{ n }] = await query(url, `select count(*)::int as n from (${notKept(whose, issues)}) c`)
  return n
}

/** Notes so many of them, one of every few. */
async function keep(url, whose, issues, count) {
  await query(
    url,
    `insert into kept select client, $1, $2 from (
      select client, row_number() over (order by client) as n, count(*) over () as among from (${notKept(whose, issues)}) c
    ) c where n * $3::bigint / among > (n - 1) * $3::bigint / among`,
    [whose.kind, whose.owner, count],
  )
}

/** Gives people, hub and services what was kept for them, and somebody else all the rest. */
async function giveAway({ url, team, place, other }) {
  const run = (text, values) => query(url, text, values)
  const isKept = (condition) => `exists (select from kept k where k.client = t.client and ${condition})`
  await run(`update issues t set hub = null where hub = ${place} and not ${isKept("k.kind = 'hub'")}`)
  await run(`update issues t set hub = ${place} from kept k
    where k.client = t.client and k.kind = 'hub' and t.hub is distinct from ${place}`)
  await run(
    `update issues t set advocate = ${other} where advocate = any($1)
      or (advocate is null and not ${isKept("k.kind = 'service' and k.owner = t.service")})`,
    [team],
  )
  await run(
    `update issues t set advocate = k.owner from kept k where k.client = t.client and k.kind = 'advocate'`,
  )
  for (const [table, { client, owners }] of Object.entries(OWNERS)) {
    for (const owner of owners)
      await run(
        `update ${table} t set ${owner} = ${other} where ${owner} = any($1) and not exists (
          select from kept k where k.client = t.${client} and k.owner = t.${owner} and k.kind <> 'service')`,
        [team],
      )
    // So that none of it lies farther apart by what was changed.
    await run(`vacuum full ${table}`)
  }
  // What groups see grows with the database, whatever people have.
  await run(`update automation_states t set groups = '{}' where groups <> '{}' and not ${isKept('true')}`)
  await run('vacuum analyze')
}

// The issues i that a person $1, who leads $2, sees who is no administrator.
const SEEN = `issues i join staff me on me.id = $1 where i.advocate = any($2) or i.created_by = me.id
  or (3 = any(me.groups) and i.hub = me.hub)
  or (3 <> all(me.groups) and i.advocate is null and i.service = any(me.services))`

/** How many issues, cases and clients of these a person sees who is no administrator, for the report. */
export async function caseloadOf(url, id) {
  const values = [id, await teamOf(url, [id])]
  const [{ issues, cases, clients }] = await query(
    url,
    `select count(*)::int as issues, count(distinct i."case")::int as cases, count(distinct i.client)::int as clients from ${SEEN}`,
    values,
  )
  return [issues, cases, clients]
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
