import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase } from './database.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let client: pg.Client
beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`insert into case_types (label, service) values ('Type', 1);
    insert into clients (first_name, last_name) values ('Ann', 'Example');
    insert into cases (client, service, case_type, case_type_version, contract)
      select 1, 1, 1, 1, 1 from generate_series(1, 4)`)
})
afterAll(async () => {
  await client?.end()
  await database?.drop()
})

/** Numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * below)
  }
}

const WRONG_NOW = `select count(*)::int as n from issues i join cases k on k.id = i."case" where i.is_invalid
  <> (i.status = 1 and k.status = 1 and (i.invalid_fields <> '{}' or k.invalid_fields <> '{}'))`
const LATE_NOW = `select count(*)::int as n from cases k where (k.last_contact, k.quiet_since) is distinct from
  (select (max(i.last_contact), max(coalesce(i.last_contact, i.start_date))) from issues i where i."case" = k.id)`

it('what lists are ordered and found by is right after whatever happens to cases and their issues', async () => {
  const next = numbers(7)
  const one = (table: string) => `(select id from ${table} order by id offset ${next(4)} limit 1)`
  const day = () => `date '2026-01-01' + ${next(300)}`
  const invalid = () => (next(2) ? "'{concern}'" : "'{}'")
  const changes = [
    () => `insert into issues ("case", service, contract, case_type_version, issue_type, start_date, invalid_fields)
      values (${one('cases')}, 1, 1, 1, 1, ${day()}, ${invalid()})`,
    () => `update issues set invalid_fields = ${invalid()} where id = ${one('issues')}`,
    () => `update issues set status = ${1 + next(2)} where id = ${one('issues')}`,
    () => `update issues set last_contact = ${next(4) ? day() : 'null'} where id = ${one('issues')}`,
    () => `update issues set start_date = ${day()} where id = ${one('issues')}`,
    () => `update cases set invalid_fields = ${invalid()} where id = ${one('cases')}`,
    () => `update cases set status = ${1 + next(2)} where id = ${one('cases')}`,
    () => `delete from issues where id = ${one('issues')}`,
  ]
  const seen = { invalid: 0, contacted: 0 }
  for (let i = 0; i < 300; i++) {
    const change = changes[next(changes.length)]()
    await client.query(change)
    for (const query of [WRONG_NOW, LATE_NOW]) {
      const { rows } = await client.query(query)
      expect(rows[0].n, change).toBe(0)
    }
    const { rows } =
      await client.query(`select (select count(*)::int from issues where is_invalid) as invalid,
      (select count(*)::int from cases where last_contact is not null) as contacted`)
    seen.invalid += rows[0].invalid
    seen.contacted += rows[0].contacted
  }
  expect(Math.min(seen.invalid, seen.contacted)).toBeGreaterThan(50)
})
