import type { DemoContext } from './context.ts'

// The first clients are those of today; the files behind them are mostly closed.
const PRESENT = 300
const AUDITED_DAYS = 90

/** Whether a client is one of many years ago, of whom less is told. */
export function isArchived(client: number): boolean {
  return client > PRESENT
}

/** Whether there are entries of the audit for what began on a day (as days.ts counts) for a client. */
export function isAudited(client: number, began: number, { today }: DemoContext): boolean {
  return !isArchived(client) || today - began <= AUDITED_DAYS
}
