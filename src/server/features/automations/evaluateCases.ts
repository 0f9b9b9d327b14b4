import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Contract } from '../../../contract/contract.ts'
import { ROLE } from '../../../contract/roles.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Db } from '../../core/db.ts'
import { loggedError } from '../../core/log.ts'
import { storeNotices } from '../../records/workNotices/storeNotices.ts'
import { evaluateDeadlines } from '../deadlines/evaluateDeadlines.ts'
import { storeDeadlines } from '../deadlines/storeDeadlines.ts'
import { automatedTypes } from './automatedTypes.ts'
import { fireEvents } from './fireEvents.ts'
import { beganKey } from './heldBefore.ts'
import { itemLabels } from './itemLabels.ts'
import { type Failure, type StateChanges, stateChanges } from './stateChanges.ts'
import { storeStates } from './storeStates.ts'
import { type ChangedCases, isFiring } from './takeChanged.ts'

interface Context {
  db: Db
  contract: Contract
  log: Pick<FastifyBaseLogger, 'warn'>
  /** YYYY-MM-DD where the service works. */
  today: string
  /** Who saved; null for a job. */
  by: number | null
}

/**
 * Evaluates the deadlines and automations of cases and their issues in the transaction of `db`. Stores the deadlines
 * and the states that hold now, and fires the events of states that begin, unless they held `before` already. The cases
 * must be locked, so that the changes of others are seen.
 */
export async function evaluateCases(
  { db, contract, log, today, by }: Context,
  { cases, firing, batches, deadlines: rows, calendars }: Omit<ChangedCases, 'taken'>,
  before: Set<string> = new Set(),
): Promise<void> {
  if (cases.length === 0) return
  const types = await automatedTypes(db, cases)
  const due = cases.map((one) => ({ ...one, deadlines: types.get(one.type)?.deadlines ?? [] }))
  const deadlines = evaluateDeadlines({ today, rows, calendars }, due)
  const evaluated = cases.map((one) => ({ ...one, deadlineStates: deadlines.states.get(one.id) }))
  const names = {
    itemLabel: await itemLabels({ db, contract }, evaluated, types),
    roleId: (name: string) => contract.roles.roles.find((role) => role.name === name)?.id,
  }
  const all: StateChanges = { added: [], changed: [], ended: [], failed: [] }
  for (const one of evaluated) {
    const type = types.get(one.type)
    if (!type) continue
    const { added, changed, ended, failed } = stateChanges(one, type, names)
    all.added.push(...added)
    all.changed.push(...changed)
    all.ended.push(...ended)
    all.failed.push(...failed)
  }
  const [begun] = await Promise.all([storeStates(db, all, by), storeDeadlines(db, deadlines.changes)])
  await fireEvents(
    { db, by, today, calendars },
    begun
      .filter(
        (state) =>
          !state.isQuiet &&
          isFiring(firing, state.caseId, state.automation.name) &&
          !before.has(beganKey(state)),
      )
      .map((state) => ({ state, batch: batches.get(state.caseId) })),
  )
  await reportFailures({ db, log }, all.failed)
}

const textOf = (label: string) =>
  `The automation “${label}” failed, and nothing followed from it. Look at its condition in the Module Constructor`

/** Logs automations that threw and notifies the administrators, at most once a day about each. */
async function reportFailures({ db, log }: Pick<Context, 'db' | 'log'>, failures: Failure[]): Promise<void> {
  for (const { type, version, automation, client, caseId, record, error } of failures) {
    const text = textOf(automation.label)
    const { rows } = await sql<{ id: number; administrators: number[] }>`insert into automation_events
        (case_type, name, version, client, "case", issue, label, because)
      select ${type}, ${automation.name}, ${version}, ${client}, ${caseId}, ${record.issue}, ${automation.label},
        ${String(error).slice(0, 500)}
      where not exists (select from automation_events e join work_notices n on n.event = e.id and n.text = ${text}
        where e.case_type = ${type} and e.name = ${automation.name} and e.at > now() - interval '1 day')
      returning id, array(select id from staff p where p.status = ${sql.lit(STATUS.active)}
        and p.groups @> array[${sql.lit(ROLE.systemAdministrator)}]) as administrators`.execute(db)
    if (rows.length > 0)
      log.warn(
        { case_type: type, version, automation: automation.name, case: caseId, ...loggedError(error) },
        'an automation failed',
      )
    const notices = rows.flatMap(({ id, administrators }) =>
      administrators.map((staff) => ({
        staff,
        batch: `failure ${id}`,
        text,
        urgent: false,
        events: [id],
      })),
    )
    await storeNotices(db, notices, null)
  }
}
