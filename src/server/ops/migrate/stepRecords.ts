import type { Migration } from './migrationFiles.ts'
import type { MigrationContext } from './shortTransaction.ts'
import type { Step } from './steps.ts'

export interface RunningStep extends MigrationContext {
  migration: Migration
  step: Step
  /** Name for messages: "026_quiet_since, step 2 of 3". */
  title: string
}

/** Records that a step has begun, if that is not recorded yet; in the caller's transaction. */
export async function beginStep({ client, migration, step }: RunningStep): Promise<void> {
  await client.query(
    `insert into migration_step (migration, step, kind, runs, hash, table_name) values ($1, $2, $3, $4, $5, $6)
      on conflict (migration, step) do update set hash = excluded.hash`,
    [migration.name, step.number, migration.kind, step.runs, step.hash, step.table],
  )
}

/** Records that a step is done, and with the last one its migration; in the caller's transaction. */
export async function finishStep(running: RunningStep): Promise<void> {
  const { client, migration, step } = running
  await beginStep(running)
  await client.query(
    'update migration_step set finished_at = now(), updated_at = now() where migration = $1 and step = $2',
    [migration.name, step.number],
  )
  if (step.number < migration.steps.length) return
  await client.query('insert into migration (name, hash, kind) values ($1, $2, $3)', [
    migration.name,
    migration.hash,
    migration.kind,
  ])
}
