import {
  type AutomationNames,
  type AutomationProblem,
  checkAutomations,
} from '../../contract/automations/checkAutomations.ts'
import { checkDeadlines, type DeadlineNames } from '../../contract/deadlines/checkDeadlines.ts'
import { checkMeta } from '../../contract/meta/checkMeta.ts'
import type { MetaName, MetaProblem } from '../../contract/meta/metaTypes.ts'
import { type DefinitionList, type DefinitionPlace, isSameDefinition } from '../forms/definitions.ts'
import { unfinishedDeadlines, unfinishedParts } from '../forms/unfinishedParts.ts'
import { type Address, addressOf, isSame } from './address.ts'
import type { CaseType, CaseTypeUsage, Draftable } from './caseType.ts'

/** What the forms, automations and deadlines of a draft may refer to. */
export type DraftNames = AutomationNames & DeadlineNames

/**
 * An error with the place that shows it; `at` is the dotted path below the group, field, automation or deadline
 * ('attrs.when.eligible', 'then.0.alert').
 */
export interface EditorError {
  message: string
  meta?: MetaName
  address: Address
  /** The automation or deadline. */
  definition?: DefinitionPlace
  at: string
}

/** Validation errors that prevent publishing a draft, with their addresses in the form. */
export function validationErrorsOf(
  draft: Draftable,
  known: DraftNames,
  base: CaseType,
  usage: CaseTypeUsage,
): EditorError[] {
  const { automations = [], deadlines = [] } = draft
  const blank = draft.label.trim() === '' && [
    { message: 'Give the case type a name', address: [], at: 'label' },
  ]
  return [
    ...(blank || []),
    ...checkMeta(draft, known, { meta: base, usage }).map((p) => placed(draft, p)),
    ...[...unfinishedParts(automations), ...checkAutomations(automations, draft, known)].map((p) =>
      placedInDefinition(draft, 'automations', p),
    ),
    ...[...unfinishedDeadlines(deadlines), ...checkDeadlines(deadlines, draft, known)].map((p) =>
      placedInDefinition(draft, 'deadlines', p),
    ),
  ]
}

// Keys whose messages name the label or the test themselves, so that they need no prefix.
const SPEAKING = /^(label|publish_anyway|tests\.\d+)$/

/** Converts the field errors of a rejected save ('case_meta.0.label': [messages]) to editor errors with addresses. */
export function serverErrorsOf(draft: Draftable, errors: unknown): EditorError[] {
  const entries = errors !== null && typeof errors === 'object' ? Object.entries(errors) : []
  return entries.flatMap(([key, messages]) => {
    const [meta, ...path] = key.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
    const list: unknown[] = Array.isArray(messages) ? messages : []
    return list
      .map(String)
      .map((message) =>
        meta === 'case_meta' || meta === 'issue_meta'
          ? placed(draft, { meta, path, message })
          : (meta === 'automations' || meta === 'deadlines') && typeof path[0] === 'number'
            ? placedInDefinition(draft, meta, { path, message })
            : { message: SPEAKING.test(key) ? message : `${key}: ${message}`, address: [], at: key },
      )
  })
}

/** Messages of the item at exactly this address whose path is `at` or lies below it. */
export function messagesAt(errors: EditorError[], address: Address, at: string): string[] {
  const here = errors.filter((f) => isSame(f.address, address) && `${f.at}.`.startsWith(`${at}.`))
  return [...new Set(here.map((f) => f.message))]
}

/** Messages of an automation or a deadline whose path is `at` or lies below it. */
export function messagesInDefinition(errors: EditorError[], place: DefinitionPlace, at: string): string[] {
  return messagesAt(
    errors.filter((one) => isSameDefinition(one.definition, place)),
    [],
    at,
  )
}

function placedInDefinition(
  draft: Draftable,
  list: DefinitionList,
  { path: [i, ...path], message }: AutomationProblem,
): EditorError {
  const name = draft[list]?.[i as number]?.name
  return {
    message,
    address: [],
    at: path.join('.'),
    ...(name !== undefined && { definition: { list, name } }),
  }
}

function placed(draft: Draftable, { meta, path, message }: MetaProblem): EditorError {
  const address = addressOf(draft[meta], path)
  return { message, meta, address, at: path.slice(Math.max(0, address.length * 2 - 1)).join('.') }
}
