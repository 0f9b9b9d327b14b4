import { sql } from 'kysely'
import { checkAutomations } from '../../../contract/automations/checkAutomations.ts'
import { checkDeadlines } from '../../../contract/deadlines/checkDeadlines.ts'
import type { Automation, Deadline, FormTest, Group } from '../../../contract/generated.ts'
import { checkMeta } from '../../../contract/meta/checkMeta.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { refuse } from '../../core/problems.ts'
import { withLists } from '../../records/lookups/parentLists.ts'
import {
  validateAutomationsShape,
  validateDeadlinesShape,
  validateMetaShape,
  validateTestsShape,
} from '../../records/validate/metaShape.ts'
import { automationNames } from '../automations/automationNames.ts'
import { deadlineNames } from '../deadlines/deadlineNames.ts'

/** The parts of a case type that are published together, each a column of its own. */
export interface CaseTypeParts {
  case_meta: Group[]
  issue_meta: Group[]
  tests: FormTest[]
  automations: Automation[]
  deadlines: Deadline[]
}

export const NO_PARTS: CaseTypeParts = {
  case_meta: [],
  issue_meta: [],
  tests: [],
  automations: [],
  deadlines: [],
}
export const PARTS = Object.keys(NO_PARTS) as (keyof CaseTypeParts)[]
export const PART_COLUMNS = sql.join(PARTS.map((part) => sql.ref(part)))

export function partValues(parts: CaseTypeParts): Sql {
  return sql.join(PARTS.map((part) => sql`${JSON.stringify(parts[part])}::jsonb`))
}

/** The parts that something has; null, as drafts of before a part have it, is none. */
export function partsOf(from: Partial<Record<keyof CaseTypeParts, unknown>>): Partial<CaseTypeParts> {
  return Object.fromEntries(PARTS.flatMap((part) => (from[part] ? [[part, from[part]]] : [])))
}

/** The parts of a body; those that it leaves out are taken from `before`. Refuses wrong shapes. */
export function partsFrom({ body, contract }: Call, before: CaseTypeParts): CaseTypeParts {
  const sent = PARTS.filter((part) => body[part] !== undefined).map((part) => [part, body[part]])
  const parts: CaseTypeParts = { ...NO_PARTS, ...partsOf(before), ...Object.fromEntries(sent) }
  const { case_meta, issue_meta, tests, automations, deadlines } = parts
  refuse({
    ...validateMetaShape(contract, { case_meta, issue_meta }),
    ...validateTestsShape(contract, tests),
    ...validateAutomationsShape(contract, automations),
    ...validateDeadlinesShape(contract, deadlines),
  })
  return parts
}

/**
 * Refuses forms, automations and deadlines that refer to something that does not exist; the forms are checked first.
 */
export async function refuseInvalidParts(
  call: Call,
  parts: CaseTypeParts,
  before?: Parameters<typeof checkMeta>[2],
): Promise<void> {
  const errors: FieldErrors = {}
  const add = (path: (string | number)[], message: string) => {
    const at = path.join('.')
    errors[at] = [...(errors[at] ?? []), message]
  }
  for (const { meta, path, message } of checkMeta(parts, await withLists(call), before))
    add([meta, ...path], message)
  refuse(errors)
  const names = { ...(await automationNames(call)), deadlines: parts.deadlines }
  for (const { path, message } of checkAutomations(parts.automations, parts, names))
    add(['automations', ...path], message)
  for (const { path, message } of checkDeadlines(parts.deadlines, parts, await deadlineNames(call)))
    add(['deadlines', ...path], message)
  refuse(errors)
}
