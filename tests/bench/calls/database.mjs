import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { later } from '../cleanUp.mjs'

/** Where the product's own PostgreSQL listens while the product runs on this data folder. */
export function embeddedUrl(dataDir) {
  if (process.platform === 'win32') throw new Error('On Windows, set DATABASE_URL to a PostgreSQL server.')
  const lines = readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')
  const [port, folder] = lines.slice(3)
  return `postgres://app@127.0.0.1:${port}/advocacy?sslmode=disable&host=${encodeURIComponent(folder)}`
}

/** A new database on a server that is there already, dropped in the end. */
export async function databaseOn(server) {
  const name = `bench_${randomBytes(4).toString('hex')}`
  const url = new URL(server)
  url.pathname = name
  await query(server, `create database ${name}`)
  later(() => query(server, `drop database if exists ${name} with (force)`))
  return url.href
}

/** Fills a migrated, empty database; answers a session's token by the id of its person: 1 an administrator, 44 an advocate. */
export async function fill(url, clients) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`select set_config('bench.clients', $1, false)`, [String(clients)])
    await client.query(readFileSync(path.join(import.meta.dirname, 'fill.sql'), 'utf8'))
    await client.query('vacuum analyze')
    return { 1: await signIn(client, 1), 44: await signIn(client, 44) }
  } finally {
    await client.end()
  }
}

async function signIn(client, staff) {
  const token = randomBytes(32).toString('base64url')
  await client.query(
    `insert into session (token_hash, staff, expires_at) values ($1, $2, now() + interval '12 hours')`,
    [createHash('sha256').update(token).digest(), staff],
  )
  return token
}

/** Rows of one statement on a connection of its own. */
export async function query(url, text, values) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}
