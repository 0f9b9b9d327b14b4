import { sql } from 'kysely'
import type { Db, Sql } from '../../src/server/core/db.ts'
import type { Random } from '../../src/server/ops/demo/random.ts'

const SERVICES = 3
const HUBS = 3
const CONTRACTS = 3
const MAX_ISSUES = 150

/** One change of a random history, by its name; what it is about is chosen at random. */
const CHANGES: Record<string, (r: Random) => Sql> = {
  'add a client': (r) =>
    sql`insert into clients (first_name, last_name, created_by) values ('A', 'B', ${person(r)})`,
  'add a case': (
    r,
  ) => sql`insert into cases (client, service, case_type, case_type_version, contract, created_by)
    select ${one(r, 'clients')}, ${number(r, SERVICES)}, min(id), 1, ${number(r, CONTRACTS)}, ${person(r)} from case_types
    having ${one(r, 'clients')} is not null`,
  'add issues': (
    r,
  ) => sql`insert into issues ("case", service, contract, hub, case_type_version, issue_type, start_date, advocate, created_by)
    select k.id, k.service, k.contract, ${someNumber(r, HUBS)}, 1, 1, '2026-01-01', ${person(r)}, ${person(r)}
    from cases k, generate_series(1, ${number(r, 2)}) where k.id % 7 = ${number(r, 7) - 1}`,
  assign: (r) => sql`update issues set advocate = ${person(r)} where id = ${one(r, 'issues')}`,
  'assign many': (r) => sql`update issues set advocate = ${person(r)} where id % 5 = ${number(r, 5) - 1}`,
  'hand over': (r) => sql`update issues set advocate = ${person(r)} where advocate = ${person(r)}`,
  'retire an issue': (r) =>
    sql`update issues set status = 3 - status, is_opened = not is_opened, close_date = null where id = ${one(r, 'issues')}`,
  'retire a client': (r) => sql`update clients set status = 3 - status where id = ${one(r, 'clients')}`,
  'move a case': (r) =>
    sql`update cases set client = coalesce(${one(r, 'clients')}, client) where id = ${one(r, 'cases')}`,
  'merge clients': (r) =>
    sql`update cases set client = coalesce(${one(r, 'clients')}, client) where client = ${one(r, 'clients')}`,
  'move an issue': (r) =>
    sql`update issues set "case" = coalesce(${one(r, 'cases')}, "case") where id = ${one(r, 'issues')}`,
  'delete an issue': (r) => sql`delete from issues where id = ${one(r, 'issues')}`,
  'purge a case': (
    r,
  ) => sql`with k as (select ${one(r, 'cases')} as id) delete from cases where id = (select id from k)
    and not exists (select from issues i, k where i."case" = k.id)`,
  'purge a client': (
    r,
  ) => sql`with c as (select ${one(r, 'clients')} as id) delete from clients where id = (select id from c)
    and not exists (select from cases k, c where k.client = c.id)`,
  'set the hub': (r) => sql`update issues set hub = ${someNumber(r, HUBS)} where id = ${one(r, 'issues')}`,
  'set the contract': (r) =>
    sql`update cases set contract = ${number(r, CONTRACTS)} where id = ${one(r, 'cases')}`,
  'set the service': (r) =>
    sql`update cases set service = ${number(r, SERVICES)} where id = ${one(r, 'cases')}`,
  'set who made it': (r) => {
    const table = r.pick(['issues', 'cases', 'clients'])
    return sql`update ${sql.table(table)} set created_by = ${person(r)} where id = ${one(r, table)}`
  },
  'refer a client': (r) =>
    sql`insert into referral_requests (hub, service, from_hub, from_client)
      values (${number(r, HUBS)}, 1, ${number(r, HUBS)}, ${one(r, 'clients')})`,
  'decide a referral': (r) =>
    sql`update referral_requests set status = ${r.pick([1, 3, 4])} where id = ${one(r, 'referral_requests')}`,
  'forget a referral': (r) => sql`delete from referral_requests where id = ${one(r, 'referral_requests')}`,
  'move a person': (r) =>
    sql`update staff set hub = ${someNumber(r, HUBS)} where id = ${person(r)} and hub is not null`,
  'give services': (
    r,
  ) => sql`update staff set services = array[${number(r, SERVICES)}::int], contracts = array[${number(r, CONTRACTS)}::int]
    where id = ${person(r)}`,
  'give a manager': (r) => sql`update staff s set line_manager = m.id from staff m
    where s.id = ${person(r)} and m.id = ${person(r)} and m.id < s.id`,
}

/** Names of the changes that add records, which are made more often than others, so that there are always some. */
const ADDING = Object.keys(CHANGES).filter((name) => name.startsWith('add'))

/** Makes a random change. */
export async function change(db: Db, random: Random): Promise<void> {
  const name = random.pick(random.chance(0.3) ? ADDING : Object.keys(CHANGES))
  if (ADDING.includes(name) && (await isFull(db))) return
  await sql`${CHANGES[name](random)}`.execute(db)
}

/** True if there are so many issues that comparing them takes long. */
async function isFull(db: Db): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from issues`.execute(db)
  return rows[0].n > MAX_ISSUES
}

function number(random: Random, n: number): number {
  return random.between(1, n)
}

function someNumber(random: Random, n: number): number | null {
  return random.chance(0.3) ? null : number(random, n)
}

/** A member of staff, or one time in five nobody. */
function person(random: Random): Sql {
  return random.chance(0.2) ? sql`null::int` : one(random, 'staff')
}

/** The id of a row of a table, null if it is empty. */
function one(random: Random, table: string): Sql {
  return sql`(select id from ${sql.table(table)} order by md5(id || ${String(random.between(1, 1_000_000))}::text) limit 1)`
}
