import { isBusy, sqlProblem } from '../../core/sqlProblem.ts'
import { StartProblem } from '../../core/startProblem.ts'
import { runBatches } from './batches.ts'
import { buildIndex } from './buildIndex.ts'
import type { Migration } from './migrationFiles.ts'
import { inShortTransaction, type MigrationContext } from './shortTransaction.ts'
import { finishStep, type RunningStep } from './stepRecords.ts'
import type { Runs, Step } from './steps.ts'
import { dropBuiltViews } from './views.ts'

const RUN: Record<Runs, (running: RunningStep) => Promise<void>> = {
  transaction: runTransaction,
  concurrently: buildIndex,
  batched: runBatches,
}

/** Runs one step of a migration and records that it is done. */
export async function runStep(context: MigrationContext, migration: Migration, step: Step): Promise<void> {
  const title = `${migration.name}, step ${step.number} of ${migration.steps.length}`
  try {
    await RUN[step.runs]({ ...context, migration, step, title })
  } catch (error) {
    const isOfDatabase = (error as { severity?: string }).severity !== undefined
    if (isBusy(error) || !isOfDatabase) throw error
    refuseExtension(migration, step, error)
    throw sqlProblem({ path: migration.path, sql: step.sql }, error, { fate: fateOf(migration, step) })
  }
}

/** SQLSTATEs of an extension that the role may not create, or that is not installed. */
const INSUFFICIENT_PRIVILEGE = '42501'
const NOT_INSTALLED = ['0A000', '58P01']

/** Throws a StartProblem with the command to run if a step could not create an extension. */
function refuseExtension({ name }: Migration, { sql }: Step, error: unknown): void {
  const { code = '' } = error as { code?: string }
  const [command, extension] = /create extension if not exists (\w+)/.exec(sql) ?? []
  if (!extension || ![INSUFFICIENT_PRIVILEGE, ...NOT_INSTALLED].includes(code)) return
  const missing = NOT_INSTALLED.includes(code)
    ? `It is not installed on the database server: install the contrib package of PostgreSQL first. Then run, `
    : 'This role may not create it: run, '
  throw new StartProblem(
    `${name} needs the extension ${extension}. ${missing}as a superuser in this database, then start again:\n  ${command};`,
  )
}

function runTransaction(running: RunningStep): Promise<void> {
  const { client, migration, step, title } = running
  return inShortTransaction(running, title, async () => {
    if (migration.kind === 'contract') await dropBuiltViews(client)
    await client.query(step.sql)
    await finishStep(running)
  })
}

/** What a failed step leaves, in words. */
function fateOf({ steps }: Migration, { number, runs }: Step): string {
  if (steps.length === 1 && runs === 'transaction') return 'Nothing of this file was applied.'
  const part = {
    transaction: `Nothing of step ${number} was applied`,
    concurrently: `Step ${number} was not applied`,
    batched: `What step ${number} filled before stays filled`,
  }[runs]
  const before =
    { 1: '', 2: ', and step 1 was applied' }[number] ?? `, and steps 1 to ${number - 1} were applied`
  return `${part}${before}. The next start goes on from here.`
}
