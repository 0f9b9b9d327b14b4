import { type RawBuilder, sql } from 'kysely'
import { STATUS } from '../../../contract/status.ts'
import type { Db } from '../../core/db.ts'
import type { Settings } from '../../core/settings.ts'
import { today } from '../../core/today.ts'
import { writeSystemAuditEvent } from '../../records/audit/audit.ts'

/**
 * Sets people to on leave on the first day of their leave, and to active after the last. A status that was switched
 * manually since that day stays unchanged: each day takes effect once.
 */
export function switchLeave(
  { db, settings }: { db: Db; settings: Settings },
  now = new Date(),
): Promise<void> {
  return db.transaction().execute((tx) => switchToday(tx, settings, now))
}

/** The same within a transaction. */
export async function switchToday(tx: Db, settings: Settings, now = new Date()): Promise<void> {
  const day = sql`${today(settings.TIME_ZONE, now)}::date`
  const switchedOn = sql`(switched_at at time zone ${settings.TIME_ZONE}::text)::date`
  const begins = sql<boolean>`leave_from <= ${day} and coalesce(leave_to >= ${day}, true)
    and coalesce(${switchedOn} < leave_from, true)`
  const isOver = sql<boolean>`leave_to < ${day} and coalesce(${switchedOn} <= leave_to, true)`
  await switchStatus(tx, begins, STATUS.active, STATUS.onLeave)
  await switchStatus(tx, isOver, STATUS.onLeave, STATUS.active)
}

// The conditions are on the row itself, so a server that waited for another one's update finds no rows left.
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
