import { sql } from 'kysely'
import pg from 'pg'
import { STATUS } from '../contract/status.ts'
import type { Db } from './db.ts'

/** What open pages are drawn by, each with its last version; all lists of choices are one, and so is what is invalid. */
export interface Item {
  entity: string
  id: number
  version: number
}
/** Tells whoever listens of newly published versions, whichever server published them. */
export interface News {
  now(): Promise<Item[]>
  /** Hears all items, soon and at every change of one; answers how to stop. */
  hear(listener: (items: Item[]) => void): () => void
  /** Hears whose sessions (an id of staff) were ended, without one that anybody's may have been; answers how to stop. */
  hearEnded(listener: (staff?: number) => void): () => void
  stop(): Promise<void>
}

/** PostgreSQL's channel: a hint to look now; with the id of a person, at whether they are still signed in. */
export const CHANNEL = 'published'
/** Without a hint it is looked this often, in ms; only while somebody listens. */
const LOOK = 5000
const AGAIN = 2000

/** Watches for publications: by looking, and at once where the database hints at one. */
export function watchNews(db: Db, databaseUrl: string): News {
  /** Each with what it was told last. */
  const listeners = new Map<(items: Item[]) => void, string>()
  const endings = new Set<(staff?: number) => void>()
  let timer: NodeJS.Timeout | undefined
  let client: pg.Client | undefined
  let stopped = false

  const now = async () => {
    const { rows } =
      await sql<Item>`select 'caseType' as entity, id, version from case_types where version > 0
      union all select 'caseTypeDraft', case_type, rev from case_type_drafts
      union all select 'invalidRow', 0, last_value::int from validity
      union all select 'lookup', 0, (coalesce(sum(version), 0) + (select count(*) from case_types where status = ${sql.lit(STATUS.retired)}))::int
        from lookup order by 1, 2`.execute(db)
    return rows
  }
  const look = async () => {
    const items = await now()
    const text = JSON.stringify(items)
    for (const [listener, told] of listeners) {
      if (told === text) continue
      listeners.set(listener, text)
      listener(items)
    }
  }
  // A database that is away for a while is looked at again later.
  const tryLook = () => look().catch(() => undefined)
  const hint = (payload: string | undefined) => {
    if (!payload) return void tryLook()
    for (const listener of endings) listener(Number(payload))
  }
  const listen = async () => {
    if (stopped || client || listeners.size === 0) return
    const mine = new pg.Client({ connectionString: databaseUrl, application_name: 'news', keepAlive: true })
    client = mine
    const lost = () => {
      if (client !== mine) return
      client = undefined
      void mine.end().catch(() => undefined)
      setTimeout(listen, AGAIN).unref()
    }
    mine.on('error', lost)
    mine.on('end', lost)
    mine.on('notification', ({ payload }) => hint(payload))
    try {
      await mine.connect()
      await mine.query(`listen ${CHANNEL}`)
      // A hint may have come before anybody listened.
      for (const listener of endings) listener()
      await tryLook()
    } catch {
      lost()
    }
  }
  const rest = async () => {
    clearInterval(timer)
    timer = undefined
    const mine = client
    client = undefined
    await mine?.end().catch(() => undefined)
  }
  return {
    now,
    hear(listener) {
      listeners.set(listener, '')
      void tryLook()
      timer ??= setInterval(tryLook, LOOK).unref()
      void listen()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) void rest()
      }
    },
    hearEnded(listener) {
      endings.add(listener)
      return () => endings.delete(listener)
    },
    async stop() {
      stopped = true
      listeners.clear()
      endings.clear()
      await rest()
    },
  }
}
