import {
  type AutomationNames,
  type AutomationProblem,
  checkAutomations,
} from '../../contract/automations/checkAutomations.ts'
import { checkDeadlines, type DeadlineNames } from '../../contract/deadlines/checkDeadlines.ts'
import { checkChanges, checkForms } from '../../contract/meta/checkMeta.ts'
import type { Before, Known, MetaName, MetaProblem, Metas } from '../../contract/meta/metaTypes.ts'
import { type DefinitionList, type DefinitionPlace, isSameDefinition } from '../forms/definitions.ts'
import { unfinishedDeadlines, unfinishedParts } from '../forms/unfinishedParts.ts'
import { type Address, addressOf, isSame } from './address.ts'
import type { Draft, Draftable } from './caseType.ts'

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

export function errorsOfLabel(label: string): EditorError[] {
  return label.trim() === '' ? [{ message: 'Give the case type a name', address: [], at: 'label' }] : []
}

export function errorsOfForms(metas: Metas, known: Known, before: Metas): EditorError[] {
  return checkForms(metas, known, before).map((problem) => placed(metas, problem))
}

/** Errors of what a draft does to stored answers. */
export function errorsOfChanges(metas: Metas, before: Before): EditorError[] {
  return checkChanges(metas, before).map((problem) => placed(metas, problem))
}

export function errorsOfAutomations(
  automations: Draft['automations'],
  metas: Metas,
  names: AutomationNames,
): EditorError[] {
  return [...unfinishedParts(automations), ...checkAutomations(automations, metas, names)].map((problem) =>
    placedInDefinition({ automations }, 'automations', problem),
  )
}

export function errorsOfDeadlines(
  deadlines: Draft['deadlines'],
  metas: Metas,
  names: DeadlineNames,
): EditorError[] {
  return [...unfinishedDeadlines(deadlines), ...checkDeadlines(deadlines, metas, names)].map((problem) =>
    placedInDefinition({ deadlines }, 'deadlines', problem),
  )
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
  draft: Pick<Draftable, DefinitionList>,
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

function placed(draft: Metas, { meta, path, message }: MetaProblem): EditorError {
  const address = addressOf(draft[meta], path)
  return { message, meta, address, at: path.slice(Math.max(0, address.length * 2 - 1)).join('.') }
}
