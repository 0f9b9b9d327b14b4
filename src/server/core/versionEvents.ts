import { sql } from 'kysely'
import pg from 'pg'
import { STATUS } from '../../contract/status.ts'
import type { Db } from './db.ts'

/**
 * A version event: an entity that open pages depend on, with its current version. Lookups share one version, and so
 * do validation results and comments on fields.
 */
export interface VersionEvent {
  entity: string
  id: number
  version: number
}
/** Publishes version events to subscribers, whichever server made the change. */
export interface VersionEvents {
  current(): Promise<VersionEvent[]>
  /** Subscribes to all versions, now and at every change; returns the unsubscribe function. */
  subscribe(listener: (events: VersionEvent[]) => void): () => void
  /**
   * Subscribes to ended sessions by staff id; undefined means that any session may have ended. Returns the
   * unsubscribe function.
   */
  subscribeToSessionEnd(listener: (staff?: number) => void): () => void
  /**
   * Subscribes to notices of work by staff id; undefined means that anybody may have got one. Returns the unsubscribe
   * function.
   */
  subscribeToNotices(listener: (staff?: number) => void): () => void
  /** Number of subscribers, one for each open stream. */
  streams(): number
  stop(): Promise<void>
}

/**
 * The NOTIFY channel: poll now; a staff id as payload means that a session of theirs ended, and after NOTICES that
 * they got notices of work, which a trigger sends.
 */
export const CHANNEL = 'published'
const NOTICES = 'notices '
/** Poll interval in ms without a notification, while there are subscribers. */
const POLL_INTERVAL_MS = 5000
const RECONNECT_DELAY_MS = 2000

/** Watches versions by polling, and at once on NOTIFY. */
export function watchVersions(db: Db, databaseUrl: string): VersionEvents {
  const sessionEndListeners = new Set<(staff?: number) => void>()
  const noticeListeners = new Set<(staff?: number) => void>()
  const { listeners, poll } = pollVersions(db)
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const channel = listenToChannel(databaseUrl, {
    isWanted: () => !stopped && listeners.size > 0,
    onListening: async () => {
      // Notifications before LISTEN were missed.
      for (const listener of [...sessionEndListeners, ...noticeListeners]) listener()
      await poll()
    },
    onNotification: (payload) => {
      if (!payload) return void poll()
      if (payload.startsWith(NOTICES))
        for (const listener of noticeListeners) listener(Number(payload.slice(NOTICES.length)))
      else for (const listener of sessionEndListeners) listener(Number(payload))
    },
  })
  const disconnect = async () => {
    clearInterval(timer)
    timer = undefined
    await channel.close()
  }
  return {
    current: () => currentVersions(db),
    subscribe(listener) {
      listeners.set(listener, '')
      void poll()
      timer ??= setInterval(poll, POLL_INTERVAL_MS).unref()
      void channel.open()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) void disconnect()
      }
    },
    subscribeToSessionEnd(listener) {
      sessionEndListeners.add(listener)
      return () => sessionEndListeners.delete(listener)
    },
    subscribeToNotices(listener) {
      noticeListeners.add(listener)
      return () => noticeListeners.delete(listener)
    },
    streams: () => listeners.size,
    async stop() {
      stopped = true
      listeners.clear()
      sessionEndListeners.clear()
      await disconnect()
    },
  }
}

/**
 * The versions of lookups and comments are checksums: they differ after a change, a removal and another order of a
 * list.
 */
async function currentVersions(db: Db): Promise<VersionEvent[]> {
  const { rows } =
    await sql<VersionEvent>`select 'caseType' as entity, id, version from case_types where version > 0
      union all select 'caseTypeDraft', case_type, rev from case_type_drafts
      union all select 'invalidRow', 0, last_value::int from validity
      union all select 'fieldComment', 0, (coalesce(sum(id::bigint * 31 + version), 0) % 2147483647)::int from field_comments
      union all select 'lookup', 0, ((coalesce(sum(version + position::bigint * value), 0)
          + (select count(*) from case_types where status = ${sql.lit(STATUS.retired)})) % 2147483647)::int
        from lookup order by 1, 2`.execute(db)
  return rows
}

/**
 * Subscribers to versions, each with the JSON of the last events that were sent to it, and a poll that sends new ones.
 */
function pollVersions(db: Db) {
  const listeners = new Map<(events: VersionEvent[]) => void, string>()
  let [isPolling, isPollRequested] = [false, false]
  const pollOnce = async () => {
    const events = await currentVersions(db)
    const text = JSON.stringify(events)
    for (const [listener, lastSent] of listeners) {
      if (lastSent === text) continue
      listeners.set(listener, text)
      listener(events)
    }
  }
  /**
   * One poll at a time, so that no older versions follow newer ones; a request meanwhile is answered by a further poll.
   */
  const poll = async () => {
    isPollRequested = true
    if (isPolling) return
    isPolling = true
    while (isPollRequested) {
      isPollRequested = false
      // If the database does not answer, the timer polls again.
      await pollOnce().catch(() => undefined)
    }
    isPolling = false
  }
  return { listeners, poll }
}

interface ChannelListener {
  /** False once nobody needs the connection any more. */
  isWanted: () => boolean
  /** Called at each connection, which is lost if it throws. */
  onListening: () => Promise<void>
  onNotification: (payload: string | undefined) => void
}

/** A connection that listens to the channel; one that is lost is opened again after a delay. */
function listenToChannel(
  databaseUrl: string,
  { isWanted, onListening, onNotification }: ChannelListener,
): { open: () => Promise<void>; close: () => Promise<void> } {
  let client: pg.Client | undefined
  const open = async () => {
    if (client || !isWanted()) return
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
      setTimeout(open, RECONNECT_DELAY_MS).unref()
    }
    connection.on('error', onConnectionLost)
    connection.on('end', onConnectionLost)
    connection.on('notification', ({ payload }) => onNotification(payload))
    try {
      await connection.connect()
      await connection.query(`listen ${CHANNEL}`)
      await onListening()
    } catch {
      onConnectionLost()
    }
  }
  const close = async () => {
    const connection = client
    client = undefined
    await connection?.end().catch(() => undefined)
  }
  return { open, close }
}
