import { sql } from 'kysely'
import pg from 'pg'
import { STATUS } from '../contract/status.ts'
import type { Db } from './db.ts'

/** What open pages are drawn by, each with its last version; all lists of choices are one, and so is what is invalid. */
export interface VersionEvent {
  entity: string
  id: number
  version: number
}
/** Tells whoever listens of newly published versions, whichever server published them. */
export interface VersionEvents {
  current(): Promise<VersionEvent[]>
  /** Hears all items, soon and at every change of one; answers how to stop. */
  subscribe(listener: (events: VersionEvent[]) => void): () => void
  /** Hears whose sessions (an id of staff) were ended, without one that anybody's may have been; answers how to stop. */
  subscribeToSessionEnd(listener: (staff?: number) => void): () => void
  stop(): Promise<void>
}

/** PostgreSQL's channel: a hint to look now; with the id of a person, at whether they are still signed in. */
export const CHANNEL = 'published'
/** Without a hint it is looked this often, in ms; only while somebody listens. */
const POLL_INTERVAL_MS = 5000
const RECONNECT_DELAY_MS = 2000

/** Watches for publications: by looking, and at once where the database hints at one. */
export function watchVersions(db: Db, databaseUrl: string): VersionEvents {
  /** Each with what it was told last. */
  const listeners = new Map<(events: VersionEvent[]) => void, string>()
  const sessionEndListeners = new Set<(staff?: number) => void>()
  let timer: NodeJS.Timeout | undefined
  let client: pg.Client | undefined
  let stopped = false

  const current = async () => {
    const { rows } =
      await sql<VersionEvent>`select 'caseType' as entity, id, version from case_types where version > 0
      union all select 'caseTypeDraft', case_type, rev from case_type_drafts
      union all select 'invalidRow', 0, last_value::int from validity
      union all select 'lookup', 0, (coalesce(sum(version), 0) + (select count(*) from case_types where status = ${sql.lit(STATUS.retired)}))::int
        from lookup order by 1, 2`.execute(db)
    return rows
  }
  const poll = async () => {
    const events = await current()
    const text = JSON.stringify(events)
    for (const [listener, lastSent] of listeners) {
      if (lastSent === text) continue
      listeners.set(listener, text)
      listener(events)
    }
  }
  // A database that is away for a while is looked at again later.
  const tryPoll = () => poll().catch(() => undefined)
  const onNotification = (payload: string | undefined) => {
    if (!payload) return void tryPoll()
    for (const listener of sessionEndListeners) listener(Number(payload))
  }
  const listen = async () => {
    if (stopped || client || listeners.size === 0) return
    const connection = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'version events',
      keepAlive: true,
    })
    client = connection
    const onConnectionLost = () => {
      if (client !== connection) return
      client = undefined
      void connection.end().catch(() => undefined)
      setTimeout(listen, RECONNECT_DELAY_MS).unref()
    }
    connection.on('error', onConnectionLost)
    connection.on('end', onConnectionLost)
    connection.on('notification', ({ payload }) => onNotification(payload))
    try {
      await connection.connect()
      await connection.query(`listen ${CHANNEL}`)
      // A hint may have come before anybody listened.
      for (const listener of sessionEndListeners) listener()
      await tryPoll()
    } catch {
      onConnectionLost()
    }
  }
  const disconnect = async () => {
    clearInterval(timer)
    timer = undefined
    const connection = client
    client = undefined
    await connection?.end().catch(() => undefined)
  }
  return {
    current,
    subscribe(listener) {
      listeners.set(listener, '')
      void tryPoll()
      timer ??= setInterval(tryPoll, POLL_INTERVAL_MS).unref()
      void listen()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) void disconnect()
      }
    },
    subscribeToSessionEnd(listener) {
      sessionEndListeners.add(listener)
      return () => sessionEndListeners.delete(listener)
    },
    async stop() {
      stopped = true
      listeners.clear()
      sessionEndListeners.clear()
      await disconnect()
    },
  }
}
