import type { Group } from '../generated.ts'
import { checkChange } from './checkChange.ts'
import { checkConditions } from './checkConditions.ts'
import { checkFields, checkSize } from './checkFields.ts'

export type MetaName = 'case_meta' | 'issue_meta'
export type Metas = Record<MetaName, Group[]>
/** How many cases (issues) answer a field, by the field's name; a field that none answers may be missing. */
export type Usage = Record<MetaName, Record<string, number>>
/** How many records chose each choice, by the field's name ('family.kind' for a column) and the stored value. */
export type ChoiceUsage = Record<MetaName, Record<string, Record<string, number>>>
/** Without `choices` every choice of an answered field counts as chosen. */
export type UsageWithChoices = Usage & { choices?: ChoiceUsage }
/** What is wrong with a meta: the place below it, the field it is about, and what to do in one sentence. */
export interface MetaProblem {
  meta: MetaName
  path: (string | number)[]
  field?: string
  message: string
}
/** The lookups of the contract, as far as fields may name them and their parameters. */
export interface Known {
  lookups: Record<string, { by?: string[] }>
}
export interface Before {
  meta: Metas
  usage: UsageWithChoices
}
/** How many records chose a choice. */
export function choiceCount(
  usage: UsageWithChoices,
  meta: MetaName,
  path: string,
  value: string | number,
): number {
  const name = path.split('.')[0]
  const answered = Object.hasOwn(usage[meta], name) ? usage[meta][name] : 0
  if (!usage.choices) return answered
  const counts = Object.hasOwn(usage.choices[meta], path) ? usage.choices[meta][path] : {}
  return Object.hasOwn(counts, String(value)) ? counts[String(value)] : 0
}

/** How the checks report: a place, the sentence and the name of the field. */
export type Report = (path: (string | number)[], message: string, field?: string) => void

/** Checking stops at so many problems: nobody reads more, and a hostile form would have a hundred thousand. */
const MOST_PROBLEMS = 500
const STOP = Symbol('enough problems')

/**
 * What keeps a case type from being published, in the order of its forms; empty where nothing does. Its JSON shape
 * (schemas/meta/groups.json) is taken for granted. With `before`, also what the change would do to stored answers.
 */
export function checkMeta(meta: Metas, known: Known, before?: Before): MetaProblem[] {
  const problems: MetaProblem[] = []
  try {
    checkForms(meta, known, before, problems)
  } catch (error) {
    if (error !== STOP) throw error
  }
  return problems
}

function checkForms(meta: Metas, known: Known, before: Before | undefined, problems: MetaProblem[]): void {
  for (const name of ['case_meta', 'issue_meta'] as const) {
    const report: Report = (path, message, field) => {
      problems.push({ meta: name, path, ...(field && { field }), message })
      if (problems.length >= MOST_PROBLEMS) throw STOP
    }
    // What is far too large is not looked at any closer.
    if (!checkSize(meta[name], report)) continue
    checkFields(name, meta[name], known, report)
    checkConditions(meta[name], report, before?.meta[name])
    if (before) checkChange(name, meta[name], before.meta[name], before.usage, report)
  }
}
