import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { later } from '../cleanUp.mjs'

/** Where the product's own PostgreSQL listens while the product runs on this data folder. */
export function embeddedUrl(dataDir) {
  if (process.platform === 'win32') throw new Error('On Windows, set DATABASE_URL to a PostgreSQL server.')
  const lines = readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')
  const [port, folder] = lines.slice(3)
  return `postgres://app@127.0.0.1:${port}/advocacy?sslmode=disable&host=${encodeURIComponent(folder)}`
}

/** A new database on a server that is there already, dropped in the end; empty, or a copy of one that nobody uses. */
export async function databaseOn(server, original) {
  const name = `bench_${randomBytes(4).toString('hex')}`
  const url = new URL(server)
  url.pathname = name
  const like = original ? `template ${new URL(original).pathname.slice(1)}` : ''
  await query(server, `create database ${name} ${like}`)
  later(() => query(server, `drop database if exists ${name} with (force)`))
  return url.href
}

/** Fills the database that `env` names with the product's own invented data; nothing may run on it. */
export async function fill(env, clients) {
  await promisify(execFile)(process.execPath, ['build.mjs', 'demo', '--clients', String(clients)], {
    env: { ...process.env, ...env },
  })
}

const WHO = {
  administrator: 'select id from staff where 1 = any(groups) and status = 1 order by id limit 1',
  // Of each role the one who sees most.
  advocate: `select s.id from staff s join issues i on i.advocate = s.id where s.groups = '{4}' and s.status = 1
    group by s.id order by count(*) desc, s.id limit 1`,
  manager: `select m.id from staff m join staff s on s.line_manager = m.id join issues i on i.advocate = s.id
    where m.groups = '{2}' and m.status = 1 group by m.id order by count(*) desc, m.id limit 1`,
  hub: `select s.id from staff s join (select hub, count(*) n from issues group by hub) h on h.hub = s.hub
    where s.groups = '{3}' and s.status = 1 order by h.n desc, s.id limit 1`,
}

// One person stands for many: each call begins a minute of its own and old drafts go, so that nothing is refused.
const WITHOUT_LIMITS = `
  create or replace function own_minute() returns trigger language plpgsql as
    $$ begin new.minute := clock_timestamp(); return new; end $$;
  create or replace trigger own_minute before insert on call_count for each row execute function own_minute();
  create or replace function few_drafts() returns trigger language plpgsql as
    $$ begin delete from drafts where id in
      (select id from drafts where staff = new.staff and id < new.id - 100 for update skip locked); return null; end $$;
  create or replace trigger few_drafts after insert on drafts for each row execute function few_drafts();
  delete from drafts`

/** Brings a filled database to rest and signs people in, whose calls are not limited; answers a token of each. */
export async function settle(url) {
  await query(url, WITHOUT_LIMITS)
  await query(url, 'vacuum analyze')
  const tokens = {}
  for (const [name, finding] of Object.entries(WHO)) tokens[name] = await signIn(url, finding)
  return tokens
}

async function signIn(url, finding) {
  const token = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(token).digest()
  const [{ id }] = await query(url, finding)
  await query(
    url,
    `insert into session (token_hash, staff, expires_at) values ($1, $2, now() + interval '12 hours')`,
    [hash, id],
  )
  return token
}

/**
 * Rows of one statement on a connection of its own, after another one that sets it up.
 * @param {string} url
 * @param {string} text
 * @param {unknown[]} [values]
 * @param {string} [first]
 * @returns {Promise<Record<string, any>[]>}
 */
export async function query(url, text, values, first) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    if (first) await client.query(first)
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}
