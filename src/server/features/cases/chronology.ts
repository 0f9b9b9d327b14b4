import { allows } from '../../../contract/access.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import type { Chronology } from '../../../contract/types/entities.ts'
import type { Values } from '../../../contract/when.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem, type Problem, problem } from '../../core/problems.ts'
import type { AnsweredEntity } from '../../records/answerMigrations/pendingMigrations.ts'
import { changeTranslation } from '../../records/answerMigrations/translateChanges.ts'
import type { Changes } from '../../records/audit/audit.ts'
import { describeChanges } from '../../records/audit/describeChanges.ts'
import { metaFor } from '../../records/validate/meta.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { list as listRows } from '../../records/verbs/list.ts'
import { fetch } from '../../records/verbs/read.ts'
import { update } from '../../records/verbs/update.ts'
import { type WhyNot, whyNotRestored } from '../hiddenAnswers/whyNotRestored.ts'

/** Words for the action of an entry that has no title of its own. */
const ACTION_WORDS: Record<string, string> = {
  create: 'added',
  update: 'changed',
  remove: 'removed',
  retire: 'retired',
  unretire: 'made active again',
  close: 'closed',
  assign: 'assigned',
  accept: 'accepted',
  reject: 'rejected',
  ask: 'answered by a question',
  complete: 'done',
  reopen: 'opened again',
  'undo close': 'opened again: closed by mistake',
  drop: 'not needed any more',
  move: 'moved here',
  'move away': 'moved to another place',
  'mark error': 'marked as entered in error',
  merge: 'merged',
  'undo merge': 'no longer merged',
  'not the same': 'marked as not the same person as another',
  'maybe the same': 'no longer marked as not the same person',
  'pass hold': 'let past a hold',
  excuse: 'deadline excused',
  unexcuse: 'deadline no longer excused',
  'ask to excuse': 'deadline asked to be excused',
  'decline to excuse': 'deadline not excused',
  'ask for allocation': 'asked to be assigned to somebody else',
  'ask about': 'asked about by somebody who does not see it',
  'enter as new': 'entered as a new person although somebody is alike',
  refer: 'sent along with a referral',
  'clear error': 'no longer marked as entered in error',
}

/** A row of the chronology, with its changes as the audit stores them. */
type Entry = Omit<Chronology, 'changes'> & { changes: Changes | null }

function storedEntry(row: Chronology): Entry {
  return row as unknown as Entry
}

/** The chronology of a client, case or issue, newest first, with changes in words. */
export const list: Handler = async (call) => {
  const entity = call.contract.entities.chronology
  const page = await listRows(call, entity)
  return { ...page, data: await describeRows(call, page.data.map(storedEntry)) }
}

/**
 * Restores the value that a field had before a change; it is validated like any update. Answers that the change had
 * hidden come back, as if a person saved the form.
 */
export const restore: Handler = async (call) => {
  const { contract, params } = call
  const { field } = await validateBody(call, contract.bodies.restore, call.body)
  const entry = storedEntry(await fetch(call, contract.entities.chronology, params.id))
  const changes = entry.changes ?? {}
  const change = Object.hasOwn(changes, field) && changes[field]
  const entity = contract.entities[entry.entity]
  if (!change) throw fieldProblem({ field: ['This entry did not change it'] })
  if (!mayUpdate(call, entry.entity)) throw problem('forbidden')
  const record = { id: entry.record! }
  if (field.includes('.')) await restoreAnswer(call, entry, field)
  else await update({ ...call, params: record, body: { [field]: change.from } }, entity)
  const [described] = await describeRows(call, [entry])
  return described
}

/** Restores an answer by the name and value that the published form has for it. */
async function restoreAnswer(call: Call, entry: Entry, field: string): Promise<void> {
  const entity = call.contract.entities[entry.entity]
  const record = { id: entry.record! }
  await fetch(call, entity, record.id)
  if (!field.startsWith('answers.')) throw fieldProblem({ field: [NOT_RESTORED] })
  const { version } = await metaFor(call, entity, record.id)
  const translate = await changeTranslation(call.db, entity.$id as AnsweredEntity, record.id)
  const translated = translate({ [field]: entry.changes![field] }, entry.at!)
  const answers = Object.entries(translated).map(
    ([path, { from }]) => [path.replace('answers.', ''), from ?? null] as const,
  )
  const whyNot = await whyNotRestored(call, entity.$id, record.id)
  const wrong = answers.map(([name]) => whyNot(name)).find(Boolean)
  if (wrong) throw fieldProblem({ field: [wrong] })
  const body = { answers: Object.fromEntries(answers), case_type_version: version }
  await update({ ...call, params: record, body }, entity)
  // An update ignores columns of rows that do not count; throwing undoes what else it changed.
  const stored = (await fetch(call, entity, record.id)).answers as Values
  if (answers.some(([name, value]) => !isEqual(stored[name] ?? null, value)))
    throw fieldProblem({ field: [NOT_RESTORED] })
}

const NOT_RESTORED = 'This cannot be put back: it is not shown as it was then'

const OF_MERGED = 'This cannot be put back: it is of a record that was merged into this one'

/** True for a client's or case's own event under the number of a record that was merged into the one of the path. */
function isOfMerged({ endpoint: { by }, params }: Call, { entity, record }: Entry): boolean {
  return entity === by && record !== params.id
}

/** True if the caller may call the generic update of an entity; an update with its own rules is a named operation. */
function mayUpdate({ contract, me }: Call, entity: string): boolean {
  return Object.values(contract.endpoints).some(
    ({ does, roles }) => does === `update ${entity}` && allows(contract.roles, roles, me.groups),
  )
}

async function describeRows(call: Call, rows: Entry[]) {
  const [changes, whyNot] = await Promise.all([describeChanges(call, rows), reasonsOf(call, rows)])
  return rows.map((row, i) => ({
    ...row,
    title: row.title ?? titleOf(call, row),
    changes: changes[i].map((one) => {
      const why = whyNot(row, one.field)
      return why ? { ...one, why_not: why } : one
    }),
  }))
}

/** A record that was deleted since has no restorable answers anyway. */
function ofDeleted(error: Problem): WhyNot {
  if (error.statusCode !== 404) throw error
  return () => undefined
}

/** Why a change of an entry cannot be restored; null if it can, or if the caller may restore none. */
async function reasonsOf(call: Call, rows: Entry[]): Promise<(row: Entry, field: string) => string | null> {
  const { contract, me } = call
  const { roles } = contract.endpoints['chronology.restore']
  const changesAnswers = ({ action, changes }: Entry) =>
    action === 'update' && Object.keys(changes ?? {}).some((path) => path.startsWith('answers.'))
  if (call.exporting || !allows(contract.roles, roles, me.groups)) return () => null
  const keyOf = ({ entity, record }: Entry) => `${entity} ${record}`
  const records = new Map(rows.filter(changesAnswers).map((row) => [keyOf(row), row]))
  const found = await Promise.all(
    [...records].map(
      async ([key, { entity, record }]): Promise<[string, WhyNot]> => [
        key,
        await whyNotRestored(call, entity, record).catch(ofDeleted),
      ],
    ),
  )
  const reasons = new Map(found)
  return (row, field) => {
    if (isOfMerged(call, row)) return OF_MERGED
    if (field.startsWith('hidden_answers.')) return NOT_RESTORED
    const [, name] = field.match(/^answers\.(.*)$/) ?? []
    return (name && reasons.get(keyOf(row))?.(name, row.at)) || null
  }
}

function titleOf({ contract }: Call, { entity, action }: Entry): string {
  const name = contract.entities[entity]?.title ?? entity
  return `${name} ${ACTION_WORDS[action] ?? action}`
}
