import { isBusy, sqlProblem } from '../../core/sqlProblem.ts'
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
    throw sqlProblem({ path: migration.path, sql: step.sql }, error, { fate: fateOf(migration, step) })
  }
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
