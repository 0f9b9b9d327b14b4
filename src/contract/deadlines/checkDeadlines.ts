import type { Deadline, Span } from '../generated.ts'
import { checkWhen } from '../meta/checkConditions.ts'
import { followerError } from '../meta/checkFollowers.ts'
import type { Known, Metas } from '../meta/metaTypes.ts'
import { fieldsByName } from '../meta/places.ts'
import { quoted } from '../quoted.ts'
import { type PathKind, type PathReach, pathProblem } from './deadlinePaths.ts'
import { deadlineUsesField } from './deadlineUses.ts'

/** A problem of a deadline: its path below `deadlines`, and a sentence that says what to do. */
export interface DeadlineProblem {
  path: (string | number)[]
  message: string
}

/** What deadlines may refer to besides the forms. */
export interface DeadlineNames extends Pick<Known, 'entities'> {
  /** Ids of all action types, including retired ones; omitted: not checked. */
  actionTypes?: ReadonlySet<number>
}

type Report = (path: (string | number)[], message: string) => void

/** The keys that say when it is due, of which a deadline has exactly one. */
const KINDS = ['within', 'every', 'at'] as const

/**
 * Errors that prevent the publication of the deadlines of a case type. Assumes the JSON shape of
 * schemas/meta/deadlines.json.
 */
export function checkDeadlines(deadlines: Deadline[], metas: Metas, names: DeadlineNames): DeadlineProblem[] {
  const problems: DeadlineProblem[] = []
  const seen = new Set<string>()
  for (const [i, deadline] of deadlines.entries()) {
    const report: Report = (path, message) => problems.push({ path: [i, ...path], message })
    if (seen.has(deadline.name)) report(['name'], `Another deadline has the name '${deadline.name}'`)
    seen.add(deadline.name)
    checkKind(deadline, report)
    checkPaths(deadline, { of: deadline.of, metas, entities: names.entities }, report)
    checkMetBy(deadline, names, report)
    const wrong = followerError(metas, (meta, name) => deadlineUsesField(deadline, meta, name))
    if (wrong) report([], wrong)
  }
  return problems
}

function checkKind(deadline: Deadline, report: Report): void {
  const { at, from, every, met_by, paused } = deadline
  const label = quoted(deadline.label, deadline.name)
  const kinds = KINDS.filter((key) => deadline[key] !== undefined)
  if (kinds.length !== 1)
    report([], `Say when ${label} is due in one way: so long after a day, every so long, or on a day`)
  else if (at === undefined && from === undefined)
    report(['from'], `Choose the day from which ${label} is counted`)
  if (at !== undefined && paused)
    report(
      ['paused'],
      `${label} is due on a day that somebody enters, which no pause moves; remove one of them`,
    )
  if (every === undefined) return
  if (!met_by?.actions || met_by.field !== undefined)
    report(['met_by'], `${label} is due again and again, so only actions can meet it; choose their types`)
  if (Object.values(every).includes(0))
    report(['every'], `${label} would be due every day without end; choose a number from 1`)
}

function checkPaths(deadline: Deadline, reach: PathReach, report: Report): void {
  const label = quoted(deadline.label, deadline.name)
  const check = (key: (string | number)[], path: string | undefined, kind: PathKind, verb: string) => {
    if (path === '') return report(key, `Choose the day of ${label}`)
    const problem = path === undefined ? undefined : pathProblem(path, kind, reach)
    if (problem) report(key, `${label} ${verb} ${problem}`)
  }
  check(['from'], deadline.from, 'date', 'is counted from')
  check(['at'], deadline.at, 'date', 'is due on')
  check(['until'], deadline.until, 'date', 'is due until')
  check(['met_by', 'field'], deadline.met_by?.field, 'date', 'is met by')
  for (const key of ['within', 'every', 'warn'] as const)
    for (const [unit, amount] of Object.entries((deadline[key] ?? {}) as Span))
      if (typeof amount === 'string') check([key, unit], amount, 'number', 'takes its number from')
  checkConditions(deadline, reach, report)
}

function checkConditions(
  { of, when, paused }: Deadline,
  { metas, entities = {} }: PathReach,
  report: Report,
): void {
  const fields = fieldsByName(of === 'case' ? metas.case_meta : metas.issue_meta)
  const others = {
    fields: new Map(),
    elsewhere: { ...(entities[of] && { record: entities[of].properties }), deadline: {} },
    caseRecord: { fields: fieldsByName(metas.case_meta), columns: entities.case?.properties ?? {} },
  }
  checkWhen(when, fields, others, (path, message) => report(['when', ...path], message))
  checkWhen(paused?.when, fields, others, (path, message) => report(['paused', 'when', ...path], message))
}

function checkMetBy({ label, name, met_by }: Deadline, { actionTypes }: DeadlineNames, report: Report): void {
  if (met_by?.actions?.length === 0)
    report(['met_by', 'actions'], `Choose the actions that meet ${quoted(label, name)}`)
  for (const [i, type] of (met_by?.actions ?? []).entries())
    if (actionTypes && !actionTypes.has(type))
      report(['met_by', 'actions', i], `There is no type of action with the id ${type}; choose another`)
}
