import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import { editableFields } from '../../src/contract/entity.ts'
import type { Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { isPassword } from '../../src/server/access/password.ts'
import { visibleTo } from '../../src/server/access/scope.ts'
import { callerById } from '../../src/server/access/session.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'
import type { Caller } from '../../src/server/core/call.ts'
import { type Db, openDatabase, type Row, type Sql } from '../../src/server/core/db.ts'
import { fillDefaults } from '../../src/server/ops/demo/defaults.ts'
import { fillDemo } from '../../src/server/ops/demo/demo.ts'
import { emptyTables, whatIsThere } from '../../src/server/ops/demo/emptyTables.ts'
import { refuseUnknownItems } from '../../src/server/records/validate/refuseUnknownItems.ts'
import { itInFull } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { freshDatabase } from './database.ts'

const TODAY = '2026-03-29'
const PASSWORD = 'advocacy-demo'
const TABLES = [
  'staff',
  'clients',
  'cases',
  'issues',
  'case_monitoring',
  'issue_monitoring',
  'signposts',
  'files',
  'actions',
  'activities',
  'risks',
  'communication_issues',
  'issue_documents',
  'tasks',
  'audit',
  'lookup',
]
const ends: (() => Promise<void>)[] = []
let db: Db

beforeAll(async () => {
  db = await database()
  await fillDefaults(db)
  await fill(db, 300)
})

afterAll(async () => {
  for (const end of ends) await end()
})

async function database(): Promise<Db> {
  const fresh = await freshDatabase()
  const opened = openDatabase(fresh.url, { size: 4 })
  ends.push(async () => {
    await opened.close()
    await fresh.drop()
  })
  return opened.slow
}

/** Milliseconds of work it took here, whatever else the machine does. */
async function fill(into: Db, clients: number): Promise<number> {
  const began = process.cpuUsage()
  await fillDemo(into, { contract, clients, password: PASSWORD, passwordCost: 10, today: TODAY })
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

async function rows<T = Row>(query: Sql, from = db): Promise<T[]> {
  return (await query.execute(from)).rows as T[]
}

async function count(query: Sql): Promise<number> {
  const [{ n }] = await rows<{ n: number }>(sql`select count(*)::int as n from (${query}) counted`)
  return n
}

async function hashes(from: Db): Promise<Row> {
  const found: Row = {}
  for (const table of TABLES) {
    const [{ hash }] = await rows<{ hash: string }>(
      sql`select md5(string_agg(j, '|' order by j)) as hash
        from (select (to_jsonb(t) - 'password_hash')::text as j from ${sql.table(table)} t) rows`,
      from,
    )
    found[table] = hash
  }
  return found
}

async function caller(username: string): Promise<Caller> {
  const [{ id }] = await rows<{ id: number }>(sql`select id from staff where username = ${username}`)
  return (await callerById(db, id))!
}

function issuesSeenBy(me: Caller, where: Sql): Promise<number> {
  return count(
    sql`select 1 from issue_rows r where ${visibleTo('issue', me, 'r')} and r.status = 1 and ${where}`,
  )
}

test('defaults: every list, the six case types and the consent text, once', async () => {
  const fresh = await database()
  expect(await fillDefaults(fresh)).toBe(true)
  const before = await hashes(fresh)
  expect(await fillDefaults(fresh)).toBe(false)
  expect(await hashes(fresh)).toEqual(before)
  const [found] = await rows(
    sql`select (select count(distinct kind) from lookup) as kinds,
      (select count(*) from lookup where not active) as retired,
      (select attrs from lookup where kind = 'contracts' and value = 4) as attrs,
      (select attrs ->> 'id' from lookup where kind = 'address_from_postcode' and value = 1) as address,
      (select count(*) from lookup where kind = 'staff') as staff,
      (select array_agg(id || '.' || version order by id) from case_types) as types,
      (select count(*) from case_type_versions) as versions,
      (select max(id)::text from consent_texts) as consent`,
    fresh,
  )
  expect(found).toEqual({
    kinds: 56,
    retired: 6,
    attrs: { service: 3, council_areas: [1] },
    address: 'demo-1',
    staff: 0,
    types: ['1.1', '2.1', '3.1', '4.1', '5.1', '6.1'],
    versions: 6,
    consent: '1',
  })
  const wanted = Object.keys(contract.lookups).filter(
    (name) => !contract.lookups[name].from && !['hub', 'sign_on_group'].includes(name),
  )
  const kinds = await rows<{ kind: string }>(sql`select distinct kind from lookup`, fresh)
  expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(wanted))
  const [{ id }] = await rows(
    sql`insert into case_types (label, service) values ('New', 1) returning id`,
    fresh,
  )
  expect(id).toBe(7)
})

itInFull('two fills of one day give the same rows, also where the triggers cannot be silenced', async () => {
  const fresh = await freshDatabase()
  const whole = openDatabase(fresh.url, { size: 2 })
  const role = `demo_${Date.now()}`
  await sql
    .raw(`create role ${role};
      grant usage on schema public to ${role};
      grant all on all tables in schema public to ${role};
      grant all on all sequences in schema public to ${role}`)
    .execute(whole.db)
  const url = new URL(fresh.url)
  url.searchParams.set('options', `-c role=${role}`)
  const limited = openDatabase(url.href, { size: 2 })
  try {
    await fillDefaults(limited.db)
    await fill(limited.db, 300)
    expect(await hashes(limited.db)).toEqual(await hashes(db))
  } finally {
    await limited.close()
    await sql.raw(`drop owned by ${role}; drop role ${role}`).execute(whole.db)
    await whole.close()
    await fresh.drop()
  }
})

test('the size is as asked for, and nothing is filled twice', async () => {
  const before = await hashes(db)
  await fill(db, 10)
  expect(await hashes(db)).toEqual(before)
  const size = async (table: string) => count(sql`select 1 from ${sql.table(table)}`)
  expect(await size('clients')).toBe(300)
  expect(await size('staff')).toBe(26)
  expect(Math.abs((await size('cases')) - 420)).toBeLessThan(60)
  expect(Math.abs((await size('issues')) - 600)).toBeLessThan(60)
  const [{ id }] = await rows(sql`insert into clients (first_name, last_name) values ('A', 'B') returning id`)
  expect(id).toBe(301)
  await sql`delete from clients where id = ${id}`.execute(db)
})

test('answers are valid by the published metas, and what is missing is named', async () => {
  const asking = { db, me: await caller('admin'), contract }
  for (const [table, meta, caseId] of [
    ['cases', 'case_meta', 'id'],
    ['issues', 'issue_meta', 'case'],
  ]) {
    const sample = await rows<Row & { groups: Group[]; answers: Values; file: Values; client: Values }>(
      sql`select r.*, t.${sql.ref(meta)} as groups, to_jsonb(k) - 'answers' as file, to_jsonb(c) as client
        from ${sql.table(table)} r join cases k on k.id = r.${sql.ref(caseId)}
        join case_types t on t.id = k.case_type join clients c on c.id = k.client where r.id % 4 = 0`,
    )
    for (const { id, groups, answers, invalid_fields, file, client, ...record } of sample) {
      const conditionContext = { record, with: { case: file, client }, user: { id: 1, groups: [1] } }
      const settled = applyChanges({
        groups,
        stored: {},
        sent: answers,
        conditionContext,
        validateSchema: ajvValidate,
        today: TODAY,
        all: true,
      })
      expect(settled.values, `${table} ${id}`).toEqual(answers)
      expect(settled.invalid, `${table} ${id}`).toEqual(invalid_fields)
      await refuseUnknownItems(asking, { groups, values: answers, stored: {}, conditionContext })
    }
    expect(sample.length).toBeGreaterThan(90)
    const wrong = await count(sql`select 1 from ${sql.table(table)} where invalid_fields <> '{}'`)
    const share = wrong / (await count(sql`select 1 from ${sql.table(table)}`))
    expect(share).toBeGreaterThan(0.02)
    expect(share).toBeLessThan(0.09)
  }
})

test('the columns of the records are valid by their entities', async () => {
  const asking = { db, me: await caller('admin'), contract }
  const names = ['client', 'case', 'issue', 'signpost', 'caseMonitoring', 'issueMonitoring']
  const work = ['action', 'activity', 'risk', 'communicationIssue', 'issueDocument']
  for (const name of [...names, ...work]) {
    const entity = contract.entities[name]
    const fields = editableFields(entity).filter((field) => field.name !== 'answers')
    const groups = [{ name, label: name, fields }]
    for (const row of await rows(sql`select * from ${sql.table(entity.table!)}`)) {
      const sent = Object.fromEntries(fields.map((field) => [field.name, row[field.name]]))
      const validated = applyChanges({
        groups,
        stored: {},
        sent,
        conditionContext: {},
        validateSchema: ajvValidate,
        today: TODAY,
        all: true,
      })
      expect(validated.errors, `${name} ${JSON.stringify(row)}`).toEqual({})
      if (Number(row.id ?? row.case ?? row.issue) % 10 > 0) continue
      const stored = { advocate: row.advocate } // who may have left since
      const around = { with: { case: row } } // of an issue, too: both hold the service
      await refuseUnknownItems(asking, { groups, values: validated.values, stored, conditionContext: around })
    }
  }
})

test('records agree with each other', async () => {
  const wrong: Record<string, Sql> = {
    totals: sql`select 1 from cases k join (select "case", count(*) n, count(*) filter (where is_opened and status = 1) o,
        max(close_date) d from issues group by 1) t on t."case" = k.id
      where (k.issue_count, k.open_issues) <> (t.n, t.o) or k.close_date is distinct from case when t.o = 0 then t.d end`,
    followers: sql`select 1 from issues i join cases k on k.id = i."case" where (i.service, i.contract) <> (k.service, k.contract)`,
    closing: sql`select 1 from issues where is_opened <> (close_date is null) or is_opened <> (close_reasons = '{}')
      or close_date < start_date or close_date > ${TODAY}`,
    dead: sql`select 1 from clients c join cases k on k.client = c.id join issues i on i."case" = k.id
      where i.start_date > c.dod or i.is_opened and c.dod is not null`,
    retired: sql`select 1 from clients c join cases k on k.client = c.id where c.status = 2 and k.open_issues > 0`,
    gone: sql`select 1 from issues i join staff a on a.id = i.advocate where i.is_opened and a.status = 2`,
    foreign: sql`select 1 from issues i join staff a on a.id = i.advocate
      where not a.groups && '{3}' and not i.service = any(a.services)`,
    hub: sql`select 1 from issues i join staff a on a.id = i.created_by where i.hub is distinct from a.hub`,
    future: sql`select 1 from cases where greatest(created_at, updated_at, touched_at)::date >= ${TODAY}`,
    contact: sql`select 1 from issues i left join (select issue, max(done_on) d from actions group by 1) x on x.issue = i.id
      where i.last_contact is distinct from x.d`,
    plans: sql`select 1 from issues i left join lateral (select id, title, due from tasks
        where issue = i.id and done_at is null order by due, id limit 1) x on true
      where (i.next_task, i.next_due, i.next_step) is distinct from (x.id, x.due, x.title) or x.id is not null and not i.is_opened`,
    steps: sql`select 1 from actions a full join (select * from tasks where action is not null) t on t.action = a.id
      where (a.next_step, a.next_due, a.next_done_on, a.issue, a.client) is distinct from (t.title, t.due, t.done_at::date, t.issue, t.client)
        and (a.next_due is not null or t.id is not null)`,
    places: sql`select 1 from actions x join issues i on i.id = x.issue join cases k on k.id = i."case"
      where (x."case", x.client) <> (k.id, k.client) or x.done_on < i.start_date or x.done_on > coalesce(i.close_date, ${TODAY}::date - 1)`,
    plansDone: sql`select 1 from actions where next_done_on < done_on`,
    files: sql`select 1 from issue_documents d join files f on f.id = d.file
      where (f.entity, f.record) is distinct from ('issueDocument', d.id) or f.size <> length(f.content)`,
    stories: sql`select 1 from actions x where client <= 300 and not exists (
      select 1 from audit a where a.entity = 'action' and a.record = x.id and a.client = x.client)`,
    versions: sql`select 1 from audit a join issues i on i.id = a.record where a.entity = 'issue'
      group by i.id having max(a.version) <> max(i.version)`,
    monitoring: sql`select 1 from cases k left join case_monitoring m on m."case" = k.id where m."case" is null
      union all select 1 from issues i left join issue_monitoring m on m.issue = i.id where m.issue is null`,
  }
  for (const [name, query] of Object.entries(wrong)) expect(await count(query), name).toBe(0)
})

test('there is one of everything', async () => {
  const some: Record<string, Sql> = {
    namesakes: sql`select 1 from clients group by search, dob having count(*) > 1 and dob is not null`,
    accents: sql`select 1 from clients where first_name || last_name ~ '[À-ž]'`,
    apostrophes: sql`select 1 from clients where last_name like '%''%'`,
    longNames: sql`select 1 from clients where length(first_name || last_name) > 45`,
    retiredClients: sql`select 1 from clients where status = 2`,
    dead: sql`select 1 from clients where dod is not null`,
    noCase: sql`select 1 from clients c where not exists (select 1 from cases k where k.client = c.id)`,
    retiredCases: sql`select 1 from cases where status = 2`,
    retiredIssues: sql`select 1 from issues where status = 2`,
    urgent: sql`select 1 from cases where is_urgent = 'yes' and open_issues > 0`,
    longClosed: sql`select 1 from case_rows where is_closed and old_since < ${TODAY}::date - 365`,
    untouched: sql`select 1 from case_rows where not is_closed and old_since < ${TODAY}::date - 365`,
    patients: sql`select 1 from cases where patient_dod is not null`,
    outcomes: sql`select 1 from issue_monitoring where improved_opp <> '{}' and upheld_rights <> '{}'`,
    equality: sql`select 1 from case_monitoring where ethnicity is not null and client_groups <> '{}'`,
    signposts: sql`select 1 from signposts`,
    tasks: sql`select 1 from tasks where action is null and issue is null`,
    reviews: sql`select 1 from tasks t join issues i on i.id = t.issue where t.assignee <> i.advocate`,
    overdue: sql`select 1 from issue_rows where next_due < ${TODAY}`,
    due: sql`select 1 from issue_rows where next_due >= ${TODAY}`,
    risks: sql`select 1 from risks having count(*) > 5`,
    communicationIssues: sql`select 1 from communication_issues having count(*) > 5`,
    overdueReviews: sql`select 1 from risks where review_date < ${TODAY}`,
    concerns: sql`select 1 from client_alerts where label = 'Open safeguarding concern' having count(*) >= 3`,
    documents: sql`select 1 from issue_documents having count(*) > 5`,
    wishes: sql`select 1 from issues where is_opened and desired_outcomes <> '[]'`,
    results: sql`select 1 from issues where actual_outcomes <> '[]' and ndti_outcomes <> '[]'`,
    actionOutcomes: sql`select 1 from actions where hnc_outcomes <> '[]' or comm_outcomes <> '[]'`,
    manyActions: sql`select 1 from actions group by issue having count(*) > 6`,
    activities: sql`select 1 from activities where done_on > ${TODAY}::date - 7`,
    chronology: sql`select 1 from chronology where kind = 'outcome'`,
    closings: sql`select 1 from audit where action = 'close' and changes is not null`,
    onLeave: sql`select 1 from staff where status = 4`,
    suspended: sql`select 1 from staff where status = 3`,
    gone: sql`select 1 from staff where status = 2`,
  }
  for (const [name, query] of Object.entries(some)) expect(await count(query), name).toBeGreaterThan(0)
  const types = sql`select case_type from cases where open_issues > 0 group by 1 having count(*) > 9`
  expect(await count(types)).toBe(6)
})

test('each of the nine can sign in and finds work', async () => {
  const roles = contract.roles.roles
  for (const { id, demo } of roles) {
    const [person] = await rows(sql`select groups, status, password_hash from staff where username = ${demo}`)
    expect(person, demo).toMatchObject({ groups: [id], status: 1 })
  }
  const [{ hash }] = await rows<{ hash: string }>(sql`select distinct password_hash as hash from staff`)
  expect(await isPassword(PASSWORD, hash, 10)).toBe(true)

  for (const username of ['advocate', 'volunteer', 'hub', 'partner']) {
    const me = await caller(username)
    expect(me.services.length, username).toBeGreaterThan(0)
    const own = await issuesSeenBy(me, sql`r.advocate = ${me.id} and r.is_opened`)
    expect(own, username).toBeGreaterThanOrEqual(8)
    expect(own, username).toBeLessThan(80)
  }
  const waiting = sql`r.advocate is null and r.is_opened`
  for (const username of ['manager', 'partnermanager', 'hubmanager']) {
    const me = await caller(username)
    expect(await issuesSeenBy(me, waiting), username).toBeGreaterThanOrEqual(15)
    expect(await issuesSeenBy(me, sql`true`), username).toBeLessThan(
      await issuesSeenBy(await caller('admin'), sql`true`),
    )
  }
  for (const username of [
    'manager',
    'partnermanager',
    'hubmanager',
    'advocate',
    'volunteer',
    'hub',
    'partner',
  ]) {
    const me = await caller(username)
    const old = sql`select 1 from case_rows r where ${visibleTo('case', me, 'r')} and r.old_since <= ${TODAY}::date - 365`
    expect(await count(old), username).toBeGreaterThan(0)
  }
  const hubManager = await caller('hubmanager')
  const advisers = sql`select 1 from staff_rows r where ${visibleTo('staff', hubManager, 'r')} and 3 = any(r.groups)`
  expect(await count(advisers)).toBeGreaterThanOrEqual(3)
  const commissioner = await caller('commissioner')
  expect(commissioner.contracts).toHaveLength(3)
  expect(await issuesSeenBy(commissioner, sql`r.created_by = ${commissioner.id}`)).toBeGreaterThan(3)
  expect(await issuesSeenBy(commissioner, sql`r.created_by <> ${commissioner.id}`)).toBe(0)
  const reader = { ...commissioner, readsContracts: true }
  expect(await issuesSeenBy(reader, sql`true`)).toBeGreaterThan(30)
  expect(await issuesSeenBy(reader, sql`not r.contract = any('{1,3,4}')`)).toBe(0)
})

test('emptied, it can be filled again, and what an administrator set up stays', async () => {
  const fresh = await database()
  await fillDefaults(fresh)
  expect(await whatIsThere(fresh)).toBeUndefined()
  await fill(fresh, 20)
  const first = await hashes(fresh)
  expect(await whatIsThere(fresh)).toBe('The database holds 26 staff and 20 clients already.')
  await sql`update case_type_versions set author = 1 where case_type = 1`.execute(fresh)
  await emptyTables(fresh)
  expect(await whatIsThere(fresh)).toBeUndefined()
  expect(await rows(sql`select 1 from case_type_versions`, fresh)).toHaveLength(6)
  await fill(fresh, 20)
  expect(await hashes(fresh)).toEqual(first)
})

test('the command says in a sentence that the database cannot be reached', async () => {
  for (const [url, words] of [
    [
      'postgres://x@127.0.0.1:1/none',
      /^The database 127\.0\.0\.1:1\/none cannot be used: .+\. Check DATABASE_URL .+\.$/,
    ],
    ['nonsense', /^DATABASE_URL must be an address like postgres:.+\.$/],
  ] as const) {
    const command = spawn(process.execPath, ['build.mjs', 'demo'], {
      env: { ...process.env, NODE_ENV: '', VITEST: '', DATABASE_URL: url },
    })
    let said = ''
    command.stderr.on('data', (text) => {
      said += text
    })
    const [code] = await once(command, 'exit')
    expect([code, said.trim()]).toEqual([1, expect.stringMatching(words)])
  }
})

test('ten postcodes of clients are ones that the table of addresses knows', async () => {
  const known = await rows<{ postcode: string }>(sql`select distinct c.postcode from clients c
    join lookup l on l.kind = 'address_from_postcode' and l.label like '%, ' || c.postcode`)
  expect(known.length).toBe(10)
})
