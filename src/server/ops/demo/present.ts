import type { DemoContext } from './context.ts'

// The number of present clients; the cases of later, archived ones are mostly closed.
const PRESENT = 300
const AUDITED_DAYS = 90

/** True if a client is archived and has less data. */
export function isArchived(client: number): boolean {
  return client > PRESENT
}

/** True if a client has audit events for a record that began on a day (a number as in days.ts). */
export function isAudited(client: number, began: number, { today }: DemoContext): boolean {
  return !isArchived(client) || today - began <= AUDITED_DAYS
}
