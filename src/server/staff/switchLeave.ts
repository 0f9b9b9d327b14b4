import { type RawBuilder, sql } from 'kysely'
import { STATUS } from '../../contract/status.ts'
import { writeSystemAuditEvent } from '../audit/audit.ts'
import type { Db } from '../db.ts'
import type { Settings } from '../settings.ts'
import { today } from '../today.ts'

/**
 * Puts people on leave on their first day of it, and back at work after the last. Whoever was switched by hand since
 * that day came stays as they are: each day counts once.
 */
export function switchLeave(
  { db, settings }: { db: Db; settings: Settings },
  now = new Date(),
): Promise<void> {
  return db.transaction().execute((tx) => switchToday(tx, settings, now))
}

/** The same in a transaction that has begun. */
export async function switchToday(tx: Db, settings: Settings, now = new Date()): Promise<void> {
  const day = sql`${today(settings.TIME_ZONE, now)}::date`
  const switchedOn = sql`(switched_at at time zone ${settings.TIME_ZONE}::text)::date`
  const begins = sql<boolean>`leave_from <= ${day} and coalesce(leave_to >= ${day}, true)
    and coalesce(${switchedOn} < leave_from, true)`
  const isOver = sql<boolean>`leave_to < ${day} and coalesce(${switchedOn} <= leave_to, true)`
  await switchStatus(tx, begins, STATUS.active, STATUS.onLeave)
  await switchStatus(tx, isOver, STATUS.onLeave, STATUS.active)
}

// The conditions are of the row itself: a server that waited for another one's switch finds nothing left to do.
async function switchStatus(tx: Db, where: RawBuilder<boolean>, from: number, to: number): Promise<void> {
  const { rows } = await sql<{ id: number; version: number }>`update staff
    set status = ${to}, version = version + 1 where status = ${from} and ${where} returning id, version`.execute(
    tx,
  )
  for (const { id, version } of rows) {
    const changes = { status: { from, to } }
    await writeSystemAuditEvent(tx, { action: 'update', entity: 'staff', record: id, version, changes })
  }
}
