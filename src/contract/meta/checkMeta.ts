import type { Group } from '../generated.ts'
import { MAX_SEEN_VALUES } from '../seen.ts'
import { seenPathsOf } from '../seenPaths.ts'
import { checkChange } from './checkChange.ts'
import { checkConditions, type Elsewhere } from './checkConditions.ts'
import { checkFields, checkSize } from './checkFields.ts'
import { checkTakes } from './checkTakes.ts'
import { costOf, costProblems } from './formCost.ts'
import type { Before, Known, MetaName, MetaProblem, Metas, Report, UsageWithChoices } from './metaTypes.ts'
import { outsideFields } from './outsideFields.ts'

/** Number of records with a choice; without counts of choices, that of all answers of its field. */
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

/** Checking stops at this many problems: nobody reads more, and a hostile form would have a hundred thousand. */
const MAX_PROBLEMS = 500
const STOP = Symbol('enough problems')

/**
 * Errors that prevent the publication of a case type, in the order of its forms. Assumes the JSON shape of
 * schemas/meta/groups.json. With `before`, also checks the effect on stored answers.
 */
export function checkMeta(meta: Metas, known: Known, before?: Before): MetaProblem[] {
  return problemsOf((name, report) => {
    const isWithinLimits = checkForm(name, meta, known, before?.meta, report)
    if (before && isWithinLimits) checkChange(name, meta[name], before.meta[name], before.usage, report)
  })
}

/** The errors of `checkMeta` that do not depend on how many records answer a field. */
export function checkForms(meta: Metas, known: Known, before: Metas): MetaProblem[] {
  return problemsOf((name, report) => checkForm(name, meta, known, before, report))
}

/** The other errors of `checkMeta`: the effect on stored answers. */
export function checkChanges(meta: Metas, { meta: before, usage }: Before): MetaProblem[] {
  return problemsOf((name, report) => checkChange(name, meta[name], before[name], usage, report))
}

function problemsOf(check: (name: MetaName, report: Report) => void): MetaProblem[] {
  const problems: MetaProblem[] = []
  try {
    for (const name of ['case_meta', 'issue_meta'] as const) {
      check(name, (path, message, field) => {
        problems.push({ meta: name, path, ...(field && { field }), message })
        if (problems.length >= MAX_PROBLEMS) throw STOP
      })
    }
  } catch (error) {
    if (error !== STOP) throw error
  }
  return problems
}

/** Checks a form; false if it is over its limits, and then not checked any further. */
function checkForm(
  name: MetaName,
  meta: Metas,
  known: Known,
  before: Metas | undefined,
  report: Report,
): boolean {
  const groups = meta[name]
  if (!checkSize(groups, report) || !checkCost(groups, before?.[name], report)) return false
  const outside = outsideFields(name, meta, known)
  checkSeen(groups, report)
  checkFields(name, groups, known, outside, report)
  checkConditions(groups, report, before?.[name], elsewhereOf(name, known), outside)
  checkTakes(name, groups, before?.[name], report)
  return true
}

/** Limits the values from outside, because each is read, stored and sent with the form. */
function checkSeen(groups: Group[], report: Report) {
  const count = seenPathsOf(groups).length
  if (count > MAX_SEEN_VALUES)
    report(
      [],
      `A form may look at ${MAX_SEEN_VALUES} values from outside of it; use ${count - MAX_SEEN_VALUES} fewer`,
    )
}

/** What conditions of a form reach besides its fields: the stored record and the signed-in person. */
function elsewhereOf(name: MetaName, { entities = {} }: Known): Elsewhere {
  const roots = { record: name === 'case_meta' ? entities.case : entities.issue, user: entities.me }
  const found = Object.entries(roots).flatMap(([root, entity]) => (entity ? [[root, entity.properties]] : []))
  // Only automations know the states of deadlines.
  return { ...Object.fromEntries(found), deadline: {} }
}

/**
 * True if a form is within its budget, or a published one that exceeds it did not grow; reports what exceeds it
 * otherwise.
 */
function checkCost(groups: Group[], before: Group[] | undefined, report: Report): boolean {
  const problems = costProblems(groups)
  if (problems.length === 0) return true
  const [cost, was] = [costOf(groups), before && costOf(before)]
  const worse = problems.filter(({ of }) => !was || cost[of] > was[of])
  for (const { message } of worse) report([], message)
  return worse.length === 0
}
