import { resolve } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Values } from '../../src/contract/when.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { createApp } from '../../src/server/http/app.ts'
import { type Caller, type Reply, signIn, type TestContext } from './context.ts'
import { outboxOf } from './mails.ts'

/** Statuses of a referral. */
export const [NEW, ACCEPTED, REJECTED, MORE, SPAM] = [1, 2, 3, 4, 5]
/** The service and the case type of the public referral form. */
export const [SERVICE, CASE_TYPE] = [4, 5]
/** Council areas: the form sends Essex to hub 2, all others to hub 1. */
export const [HERTFORDSHIRE, ESSEX] = [1, 2]
/** A username of each role. */
export const NINE = [
  'admin',
  'manager',
  'hub',
  'advocate',
  'commissioner',
  'volunteer',
  'hubmanager',
  'partner',
  'partnermanager',
]

const SELF = { about: 'self', contact_by: ['phone'], contact_phone: '020 7946 0000' }
/** The answers about a referrer who is not the client. */
export const OTHER = {
  about: 'other',
  referrer_name: 'Morwenna Tredinnick',
  referrer_relation: 'Social worker',
  consent: 'yes',
  contact_by: ['email'],
  contact_email: 'morwenna@example.org',
}
/** Answers to the required fields of the case type. */
export const ANSWERS = { complainant_is: 'the_patient', client_setting: 1 }
/** The body of a valid self-referral; `more` has other values. */
export const body = (more: Values = {}) => ({
  service: SERVICE,
  ...SELF,
  first_name: 'Łukasz',
  last_name: 'Okonjo-Żak',
  reason: 'The hospital lost my notes',
  answers: ANSWERS,
  ...more,
})

/** Adds hubs 1 and 2, the adviser 'west' of hub 2 and the public referral form. */
export async function createReferralForm({ db, as }: TestContext): Promise<{ id: number; version: number }> {
  await sql`insert into lookup (kind, value, label) values ('hub', 1, 'East'), ('hub', 2, 'West') on conflict do nothing`.execute(
    db,
  )
  await sql`insert into staff (username, first_name, last_name, groups, hub, services, password_hash)
    select 'west', 'West', 'Example', groups, 2, services, password_hash
    from staff where username = 'hub'`.execute(db)
  const admin = await as('admin')
  const reply = await admin('referralForms.create', {
    body: {
      service: SERVICE,
      case_type: CASE_TYPE,
      hub: 1,
      status: 1,
      routes: [{ row: 'a', council_area: ESSEX, hub: 2 }],
    },
  })
  expect([reply.status, reply.body]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })])
  return reply.body
}

interface Opened {
  context: TestContext
  /** DATA_DIR of the server, where its outbox is. */
  folder: string
}

/**
 * Functions that send and read public referrals. `opened` is a function because the server of a test file starts after
 * this is called.
 */
export function publicReferrals(opened: () => Opened) {
  let sentSoFar = 0
  /** Sends a referral, each time from another IP address; `who` is by default not signed in. */
  async function send(more: Values = {}, headers: Record<string, string> = {}, who?: Caller): Promise<Reply> {
    const caller = who ?? (await opened().context.as())
    return caller('publicReferrals.create', {
      body: body(more),
      headers: { 'x-forwarded-for': `192.0.2.${++sentSoFar % 250}`, ...headers },
    })
  }

  /** Sends a referral, expects that it is created, and returns the reply with the id of the referral. */
  async function sent(more: Values = {}): Promise<{ reference: string; secret: string; id: number }> {
    const reply = await send(more)
    expect([reply.status, reply.body]).toEqual([
      201,
      {
        reference: expect.stringMatching(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/),
        secret: expect.stringMatching(/^[\w-]{43}$/),
        mailed: false,
      },
    ])
    const { rows } = await sql<{
      id: number
    }>`select id from referral_requests where reference = ${reply.body.reference}`.execute(
      opened().context.db,
    )
    return { ...reply.body, id: rows[0].id }
  }

  const statusOf = async (secret: string): Promise<Reply> =>
    (await opened().context.as())('publicReferrals.status', { body: { secret } })

  const answer = async (secret: string, text: string): Promise<Reply> =>
    (await opened().context.as())('publicReferrals.answer', { body: { secret, text } })

  /** The referral as staff see it, by default as the adviser of hub 1. */
  async function read(id: number, who?: Caller) {
    const caller = who ?? (await opened().context.as('hub'))
    return (await caller('referrals.read', { params: { id } })).body
  }

  const setStatus = (who: Caller, id: number, values: Values): Promise<Reply> =>
    who('referrals.setStatus', { params: { id }, body: values })

  /** The number of referrals that satisfy a condition. */
  async function count(where = sql`true`): Promise<number> {
    const query = sql<{ n: number }>`select count(*) as n from referral_requests where ${where}`
    return Number((await query.execute(opened().context.db)).rows[0].n)
  }

  /** Switches the form on (1) or off (2). */
  const switchTo = (status: number) =>
    sql`update referral_forms set status = ${status} where service = ${SERVICE}`.execute(opened().context.db)

  const mails = (): string[] => outboxOf(opened().folder)

  /** Runs a callback with somebody who is not signed in at a second server on the same database. */
  async function onSecondServer(
    settings: Record<string, string>,
    run: (there: Caller) => Promise<void>,
  ): Promise<void> {
    const { pools, databaseUrl, contract } = opened().context
    const server = await createApp({
      ...pools,
      databaseUrl,
      contract,
      settings: readSettings({
        LOG_LEVEL: 'silent',
        TRUST_PROXY: 'true',
        DATA_DIR: opened().folder,
        ...settings,
      }),
      web: resolve('dist/web'),
    })
    try {
      await run(await signIn(contract, await server.listen({ host: '127.0.0.1', port: 0 }), ''))
    } finally {
      await server.close()
    }
  }

  return { send, sent, statusOf, answer, read, setStatus, count, switchTo, mails, onSecondServer }
}
