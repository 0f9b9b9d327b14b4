import { allows } from '../../contract/access.ts'
import { isEqual } from '../../contract/applyChanges.ts'
import type { Values } from '../../contract/when.ts'
import type { Changes } from '../audit/audit.ts'
import { describeChanges } from '../audit/describeChanges.ts'
import type { Call, Handler } from '../call.ts'
import type { Row } from '../db.ts'
import { fieldProblem, problem } from '../problems.ts'
import { validateBody } from '../validate/validateBody.ts'
import { list as listRows } from '../verbs/list.ts'
import { fetch } from '../verbs/read.ts'
import { update } from '../verbs/update.ts'

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
  'clear error': 'no longer marked as entered in error',
}

/** The chronology of a client, case or issue, newest first, with changes in words. */
export const list: Handler = async (call) => {
  const entity = call.contract.entities.chronology
  const page = await listRows(call, entity)
  return { ...page, data: await describeRows(call, page.data) }
}

/** Restores the value that a field had before a change; it is validated like any update. */
export const restore: Handler = async (call) => {
  const { contract, body, params } = call
  const { field } = await validateBody(call, contract.bodies.restore, body)
  const entry = await fetch(call, contract.entities.chronology, params.id)
  const changes = (entry.changes ?? {}) as Changes
  const change = Object.hasOwn(changes, String(field)) && changes[String(field)]
  const entity = contract.entities[String(entry.entity)]
  if (!change) throw fieldProblem({ field: ['This entry did not change it'] })
  if (!mayUpdate(call, String(entry.entity))) throw problem('forbidden')
  const sent = bodyOf(String(field), change.from)
  const record = { id: Number(entry.record) }
  await update({ ...call, params: record, body: sent }, entity)
  // An update ignores answers that do not count; throwing undoes what else it changed.
  const [root, name] = String(field).split('.')
  const stored = (await fetch(call, entity, record.id))[root] as Values | null
  if (name && !isEqual(stored?.[name] ?? null, change.from ?? null))
    throw fieldProblem({ field: [NOT_RESTORED] })
  const [described] = await describeRows(call, [entry])
  return described
}

const NOT_RESTORED =
  'This cannot be put back: its question is hidden by other answers or no longer asked, or its value is calculated'

/** True if the caller may call the generic update of an entity; an update with its own rules is a named operation. */
function mayUpdate({ contract, me }: Call, entity: string): boolean {
  return Object.values(contract.endpoints).some(
    ({ does, roles }) => does === `update ${entity}` && allows(contract.roles, roles, me.groups),
  )
}

async function describeRows(call: Call, rows: Row[]): Promise<Row[]> {
  const changes = await describeChanges(call, rows)
  return rows.map((row, i) => ({ ...row, title: row.title ?? titleOf(call, row), changes: changes[i] }))
}

function titleOf({ contract }: Call, { entity, action }: Values): string {
  const name = contract.entities[String(entity)]?.title ?? String(entity)
  return `${name} ${ACTION_WORDS[String(action)] ?? action}`
}

function bodyOf(field: string, value: unknown): Values {
  const [root, name] = field.split('.')
  return name ? { [root]: { [name]: value } } : { [root]: value }
}
