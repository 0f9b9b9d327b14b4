import { sql } from 'kysely'
import { mailSignOnChanged } from '../../access/changedMail.ts'
import { addLink } from '../../access/openid/links.ts'
import { REQUEST_MINUTES } from '../../access/openid/signOnRequest.ts'
import { endSessionsOfLink, tokenOf } from '../../access/session.ts'
import { hashToken } from '../../access/token.ts'
import type { Call, Handler } from '../../core/call.ts'
import { type OpenidProvider, openidProviders, providerOfIssuer } from '../../core/openidProviders.ts'
import { problem } from '../../core/problems.ts'
import { singlePage } from '../../core/singlePage.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { fetch } from '../../records/verbs/read.ts'

interface LinkRow {
  id: number
  issuer: string
  name: string
  linked_at: Date
}

/** The providers, each with the accounts there that are connected with the caller. */
export const mine: Handler = async (call) => {
  const { OPENID_PROVIDERS } = call.settings
  const links = await linksOf(call, call.me.id)
  const rows = openidProviders(OPENID_PROVIDERS).flatMap((provider, i) => {
    const own = links.filter(({ issuer }) => providerOfIssuer(OPENID_PROVIDERS, issuer)?.id === provider.id)
    // A list needs an id of each row, also where nothing is connected.
    if (own.length === 0) return [{ ...asRow(provider, undefined), id: -1 - i }]
    return own.map((link) => ({ ...asRow(provider, link), id: link.id }))
  })
  return singlePage(rows)
}

/** The accounts at providers that are connected with a person. */
export const ofStaff: Handler = async (call) => {
  const person = await fetch(call, call.contract.entities.staff, call.params.id)
  const rows = (await linksOf(call, person.id)).map((link) => ({
    ...asRow(
      providerOfIssuer(call.settings.OPENID_PROVIDERS, link.issuer) ?? { id: '', name: link.issuer },
      link,
    ),
    id: link.id,
  }))
  return singlePage(rows)
}

function asRow({ id, name }: Pick<OpenidProvider, 'id' | 'name'>, link: LinkRow | undefined) {
  return {
    provider: id,
    provider_name: name,
    name: link?.name ?? null,
    linked_at: link?.linked_at ?? null,
    is_connected: link !== undefined,
  }
}

/** Connects the account with which the caller has just signed in at a provider, in the session that asked for it. */
export const connect: Handler = async (call) => {
  const { db, me, params, request, reply } = call
  const hash = hashToken(tokenOf(request.headers.authorization) ?? '')
  const { rows } = await sql<UnknownRow>`select issuer, subject, name from openid_unknown
    where id = ${params.id} and session_hash = ${hash}
      and seen_at > now() - make_interval(mins => ${REQUEST_MINUTES})`.execute(db)
  if (!rows[0]) throw problem('signOnExpired')
  await link(call, rows[0], me.id)
  reply.code(204)
}

/** Decides, for an administrator, which person an unknown subject is. */
export const decide: Handler = async (call) => {
  const { db, contract, params, reply } = call
  const { person } = await validateBody(call, contract.bodies.decideSignOn, call.body)
  const { rows } =
    await sql<UnknownRow>`select issuer, subject, name from openid_unknown where id = ${params.id}`.execute(
      db,
    )
  if (!rows[0]) throw problem('notFound')
  await link(call, rows[0], person)
  reply.code(204)
}

/** Forgets an unknown subject, who is remembered again if they sign in again. */
export const forget: Handler = async ({ db, params, reply }) => {
  const { rows } = await sql`delete from openid_unknown where id = ${params.id} returning 1`.execute(db)
  if (!rows[0]) throw problem('notFound')
  reply.code(204)
}

/** Disconnects an account of the caller; refused if nothing else would be left to sign in with. */
export const disconnect: Handler = (call) => unlink(call, sql`l.staff = ${call.me.id}`)

/** Disconnects an account of any person, for an administrator. */
export const unlinkOther: Handler = (call) => unlink(call, sql`l.staff <> ${call.me.id}`)

type UnknownRow = { issuer: string; subject: string; name: string }

async function link(call: Call, subject: UnknownRow, staff: number): Promise<void> {
  const id = await addLink(call.db, subject, staff)
  if (id === undefined) throw problem('signOnLinked')
  await writeAuditEvent(call, { action: 'connect sign-on', entity: 'staff', record: staff })
  mailSignOnChanged(call, staff, 'connected')
}

async function unlink(call: Call, whose: ReturnType<typeof sql>): Promise<void> {
  const { db, me, params, settings, reply } = call
  const { rows } = await sql<{ staff: number; is_only: boolean }>`select l.staff,
      (s.password_hash is null or ${settings.EMERGENCY_ACCOUNT !== ''})
        and not exists (select from openid_link o where o.staff = l.staff and o.id <> l.id) as is_only
    from openid_link l join staff s on s.id = l.staff where l.id = ${params.id} and ${whose} for update of l`.execute(
    db,
  )
  if (!rows[0]) throw problem('notFound')
  const [{ staff, is_only }] = rows
  if (is_only && staff === me.id) throw problem('onlySignOn')
  await endSessionsOfLink(db, Number(params.id))
  await sql`delete from openid_link where id = ${params.id}`.execute(db)
  // Without a link no sign-on can clear a provider's refusal any more, so it ends here.
  await sql`update staff s set refused_at = null where s.id = ${staff} and s.refused_at is not null
    and not exists (select from openid_link l where l.staff = s.id)`.execute(db)
  await writeAuditEvent(call, { action: 'disconnect sign-on', entity: 'staff', record: staff })
  mailSignOnChanged(call, staff, 'disconnected')
  reply.code(204)
}

async function linksOf({ db }: Call, staff: number): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`select id, issuer, name, linked_at from openid_link
    where staff = ${staff} order by id`.execute(db)
  return rows
}
