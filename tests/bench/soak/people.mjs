import { createHash, randomBytes } from 'node:crypto'
import { headersFor } from '../calls/ask.mjs'
import { query } from '../calls/database.mjs'
import { fromSource } from '../fromSource.mjs'

const { callOf, fillPath } = await fromSource('src/contract/call.ts')

/** Signs so many people in, the staff of the demo data in turn, each with a session of their own; answers their headers. */
export async function signInPeople(url, address, count) {
  const staff = await query(url, `select id from staff where status = 1 and groups <> '{}' order by id`)
  const people = []
  for (let i = 0; i < count; i++) {
    const token = randomBytes(32).toString('base64url')
    await query(
      url,
      `insert into session (token_hash, staff, expires_at) values ($1, $2, now() + interval '12 hours')`,
      [createHash('sha256').update(token).digest(), staff[i % staff.length].id],
    )
    people.push(await headersFor(address, token))
  }
  return people
}

/** A way to call by the contract's names as somebody signed in, like that of the tests. */
export function callerOf(contract, address, headers) {
  const send = async (path, /** @type {RequestInit} */ init = {}) => {
    const reply = await fetch(address + path, { headers, ...init })
    const text = await reply.text()
    const isJson = reply.headers.get('content-type')?.includes('json')
    return { status: reply.status, body: isJson ? JSON.parse(text) : text, headers: reply.headers }
  }
  const call = (
    name,
    /** @type {{params?: object, query?: Record<string, string>, body?: unknown}} */ {
      params = {},
      query: asked = {},
      body,
    } = {},
  ) => {
    const { method, path } = callOf(contract.endpoints[name])
    const search = new URLSearchParams(asked).toString()
    return send(fillPath(path, params) + (search && `?${search}`), {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }
  return Object.assign(call, { raw: send })
}

/** Holds the event stream open that every page of somebody signed in has; answers how to close it. */
export async function openStream(address, headers) {
  const closing = new AbortController()
  const { body } = await fetch(`${address}/api/news/stream`, { headers, signal: closing.signal })
  const reading = (async () => {
    for await (const _ of body ?? []);
  })().catch(() => undefined)
  return async () => {
    closing.abort()
    await reading
  }
}
