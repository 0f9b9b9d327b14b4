import type { Client } from 'pg'
import { MigrationMismatch, StartProblem } from '../../core/startProblem.ts'
import type { Kind, Migration } from './migrationFiles.ts'
import type { Runs, Step } from './steps.ts'

/** A step that was begun, as the table migration_step has it. */
interface BegunStep {
  migration: string
  step: number
  kind: Kind
  runs: Runs
  hash: string
  isFinished: boolean
}

/** What a database has had: whole migrations by name, and steps. */
interface MigrationState {
  migrations: Map<string, { hash: string; kind: Kind | null }>
  steps: BegunStep[]
}

/** A migration with those of its steps that are not finished. */
interface Pending {
  migration: Migration
  steps: Step[]
}

/** First migration of release 0.1, whose databases cannot be upgraded. */
const UNSUPPORTED = '001_tables'

/** Creates the tables of the state, or adds to those of release 0.2 what they lack. */
export async function createStateTables(client: Client): Promise<void> {
  await client.query(`create table if not exists migration (
      name text primary key, hash text not null, applied_at timestamptz not null default now());
    create table if not exists migration_step (
      migration text not null, step integer not null, kind text not null, runs text not null, hash text not null,
      table_name text, last_id bigint, end_id bigint, rows_done bigint not null default 0, rows_total bigint,
      begun_at timestamptz not null default now(), updated_at timestamptz not null default now(),
      finished_at timestamptz, primary key (migration, step));
    create table if not exists built_view (
      name text primary key, hash text not null, release text not null)`)
  // Only where it is missing: "if not exists" would lock the table at every start.
  for (const [table, column] of [
    ['migration', 'kind'],
    ['built_view', 'reads'],
  ])
    if (!(await hasColumn(client, table, column)))
      await client.query(`alter table ${table} add column if not exists ${column} text`)
}

/** The state of a database; empty if it has none yet. */
export async function readState(client: Client): Promise<MigrationState> {
  const state: MigrationState = { migrations: new Map(), steps: [] }
  if (await hasColumn(client, 'migration', 'name')) {
    const kind = (await hasColumn(client, 'migration', 'kind')) ? 'kind' : 'null'
    const { rows } = await client.query(`select name, hash, ${kind} as kind from migration`)
    for (const { name, ...row } of rows) state.migrations.set(name, row)
  }
  if (await hasColumn(client, 'migration_step', 'step')) {
    const { rows } = await client.query<BegunStep>(
      `select migration, step, kind, runs, hash, finished_at is not null as "isFinished" from migration_step
        order by migration, step`,
    )
    state.steps = rows
  }
  return state
}

async function hasColumn(client: Client, table: string, column: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from pg_attribute where attrelid = to_regclass($1) and attname = $2',
    [table, column],
  )
  return rowCount === 1
}

/**
 * The migrations that are not or not wholly applied yet; throws a StartProblem if this release cannot go on from there.
 */
export function pendingMigrations(migrations: Migration[], state: MigrationState): Pending[] {
  const { migrations: applied, steps } = state
  if (applied.has(UNSUPPORTED)) {
    throw new StartProblem(
      'The database was made by release 0.1, and release 0.2 is the first whose databases can be upgraded. ' +
        'Nothing was changed. Set DATA_DIR to a new folder, or DATABASE_URL to an empty database, or start ' +
        'release 0.1 again to go on with this one.',
    )
  }
  refuseUnknown(migrations, state)
  return migrations.flatMap((migration) => {
    const { name, path, hash } = migration
    const done = applied.get(name)
    if (done && done.hash !== hash) throw changed(path)
    if (done) return []
    const begun = steps.filter(({ migration: of, isFinished }) => of === name && isFinished)
    for (const { step, hash: before } of begun)
      if (migration.steps[step - 1]?.hash !== before) throw changed(`Step ${step} of ${path}`)
    const finished = new Set(begun.map(({ step }) => step))
    return [{ migration, steps: migration.steps.filter(({ number }) => !finished.has(number)) }]
  })
}

const changed = (what: string) =>
  new MigrationMismatch(
    `${what} has changed since it was applied to this database. Put it back as it was and write the ` +
      'change as a new migration.',
  )

/** The migrations of a newer release that a database has had. */
export function newerMigrations(migrations: Migration[], { migrations: applied }: MigrationState): string[] {
  const known = new Set(migrations.map(({ name }) => name))
  return [...applied.keys()].filter((name) => !known.has(name)).sort()
}

/** Refuses migrations of a newer release, except for complete ones that only expand the schema. */
function refuseUnknown(migrations: Migration[], state: MigrationState): void {
  const advice = 'Start the version of the app that last used it, or a newer one.'
  const breaking = newerMigrations(migrations, state).find(
    (name) => state.migrations.get(name)!.kind !== 'expand',
  )
  if (breaking !== undefined)
    throw new MigrationMismatch(
      `The database has had the migration ${breaking}, which this version of the app does not know, and which ` +
        `is not known to be one that only expands the schema. ${advice}`,
    )
  const known = new Set([...migrations.map(({ name }) => name), ...state.migrations.keys()])
  const begun = state.steps.find(({ migration }) => !known.has(migration))
  if (begun)
    throw new MigrationMismatch(
      `The migration ${begun.migration} of a newer version of the app has begun and is not complete. Run ` +
        '`npm run migrate` of that version to the end, then start this one again.',
    )
}
