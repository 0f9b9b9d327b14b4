import { sql } from 'kysely'
import { logAccess } from '../accessLog.ts'
import { note } from '../audit.ts'
import type { Handler } from '../call.ts'
import type { Row } from '../db.ts'
import { judgeBody } from '../judgeBody.ts'
import { clearGuesses, reserveGuess } from '../lockout.ts'
import { hashPassword, isPassword } from '../password.ts'
import { refusePassword } from '../passwordRule.ts'
import { problem } from '../problems.ts'
import { type Caller, endSession, startSession, tokenOf } from '../session.ts'
import { useSetupToken } from '../setup.ts'

export const csrf: Handler = async ({ reply }) => ({ csrftoken: reply.generateCsrf() })

/** Judges a password only after the guess is reserved, so that parallel guesses cannot pass the limit. */
export const login: Handler = async (call) => {
  const { db, settings, request } = call
  const { username, password } = await judgeBody(call, call.contract.bodies.login, call.body)
  const name = String(username).trim().toLowerCase()
  if (!(await reserveGuess(call, name))) {
    await logAccess(call, name, false, true)
    throw problem('locked')
  }
  const { rows } = await sql<Caller & Row>`select * from staff where lower(username) = ${name}`.execute(db)
  const staff = rows[0]
  const right = await isPassword(String(password), staff?.password_hash as string | undefined)
  const accessLog = await logAccess(call, name, right, false)
  if (!right || ![1, 4].includes(staff.status)) throw problem('wrongPassword')
  await clearGuesses(call, name)
  const key = await startSession(db, staff.id, settings, {
    ip: request.ip,
    agent: request.headers['user-agent'],
    accessLog,
  })
  return { key, user: profile(staff) }
}

/** Makes the first administrator of an empty database; the token was printed at start and works once. */
export const setup: Handler = async (call) => {
  const { db, settings, contract } = call
  const { token, username, first_name, last_name, password } = await judgeBody(
    call,
    contract.bodies.setup,
    call.body,
  )
  refusePassword(String(password), String(username))
  if (!(await useSetupToken(db, String(token)))) throw problem('notFound')
  const { rows } = await sql<
    Caller & Row
  >`insert into staff (username, first_name, last_name, password_hash, groups)
    values (${String(username).trim()}, ${first_name}, ${last_name}, ${await hashPassword(String(password))}, '{1}') returning *`.execute(
    db,
  )
  return { key: await startSession(db, rows[0].id, settings, {}), user: profile(rows[0]) }
}

export const logout: Handler = async ({ db, request, reply }) => {
  await endSession(db, tokenOf(request.headers.authorization) ?? '')
  reply.code(204)
}

export const me: Handler = async (call) => profile(call.me)

export const ping: Handler = async () => ({ ok: true })

/** Goes on leave (4) or comes back (1); whoever has a session is one of both. */
export const switchStatus: Handler = async (call) => {
  const { db, me, contract } = call
  const { status } = await judgeBody(call, contract.bodies.switchStatus, call.body)
  if (status === me.status) return profile(me)
  const { rows } = await sql<{ version: number }>`update staff set status = ${status}, version = version + 1
    where id = ${me.id} returning version`.execute(db)
  const changes = { status: { from: me.status, to: status } }
  await note(call, { action: 'update', entity: 'staff', record: me.id, version: rows[0].version, changes })
  return profile({ ...me, status: Number(status) })
}

/** The consent text that is read to a client, with its version. */
export const gdpr: Handler = async ({ db }) => {
  const { rows } = await sql<{ value: Row }>`select value from setting where name = 'consent'`.execute(db)
  return rows[0]?.value ?? { version: '', text: '' }
}

function profile({
  id,
  username,
  first_name,
  last_name,
  email,
  groups,
  status,
  hub,
  services,
  contracts,
}: Caller) {
  return {
    id,
    username,
    first_name,
    last_name,
    email,
    groups,
    status,
    hub,
    services,
    contracts,
    notifications: {},
  }
}
