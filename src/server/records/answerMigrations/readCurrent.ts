import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import type { Row, Sql } from '../../core/db.ts'
import { currentAnswers, type StoredAnswers } from './currentAnswers.ts'
import { isAnswered, type PendingMigration, pendingMigrations } from './pendingMigrations.ts'

/** A further column of a query for records r with answers, which `readCurrent` takes out again. */
export function withPending({ $id }: Pick<Entity, '$id'>, value?: Sql): Sql {
  return isAnswered($id) ? sql`, ${value ?? pendingMigrations($id)} as pending_migrations` : sql``
}

/** A row with its answers by the names and values of the published form, whether they are stored so already or not. */
export function readCurrent<T extends Row>({ pending_migrations: pending, ...row }: T): T {
  if (!pending) return row as unknown as T
  const { steps: _, ...current } = currentAnswers(
    row as unknown as StoredAnswers,
    pending as PendingMigration[],
  )
  return { ...row, ...current } as unknown as T
}
