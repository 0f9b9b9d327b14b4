import { DEADLINE_STATES } from '../deadlines/deadlineState.ts'
import { placeholdersIn } from '../filledTexts.ts'
import type { Automation, Deadline, HoldOutcome, NotifyOutcome, Property } from '../generated.ts'
import { checkWhen, type Elsewhere } from '../meta/checkConditions.ts'
import { followerError } from '../meta/checkFollowers.ts'
import type { Known, Metas } from '../meta/metaTypes.ts'
import { placeholderError } from '../meta/placeholders.ts'
import { fieldsByName } from '../meta/places.ts'
import { META_OF } from '../meta/recordFields.ts'
import { quoted } from '../quoted.ts'
import { suggest } from '../suggest.ts'
import { filledTextOf, GROUP_PREFIX, OUTCOMES, type Verb, verbOf } from './outcomes.ts'
import { usesField } from './usesField.ts'

/** A problem of an automation: its path below `automations`, and a sentence that says what to do. */
export interface AutomationProblem {
  path: (string | number)[]
  message: string
}

/** What automations may refer to besides the forms. */
export interface AutomationNames extends Known {
  /** Names of roles that may pass a hold. */
  roles?: string[]
  /** Names of groups of people. */
  groups?: string[]
  /** The deadlines of the case type, whose states conditions can look at. */
  deadlines?: Deadline[]
}

/**
 * Errors that prevent the publication of the automations of a case type. Assumes the JSON shape of
 * schemas/meta/automations.json.
 */
export function checkAutomations(
  automations: Automation[],
  metas: Metas,
  names: AutomationNames,
): AutomationProblem[] {
  const problems: AutomationProblem[] = []
  const seen = new Set<string>()
  for (const [i, automation] of automations.entries()) {
    const report = (path: (string | number)[], message: string) =>
      problems.push({ path: [i, ...path], message })
    if (seen.has(automation.name)) report(['name'], `Another automation has the name '${automation.name}'`)
    seen.add(automation.name)
    checkCondition(automation, metas, names, report)
    checkOutcomes(automation, metas, names, report)
    const wrong = followerError(metas, (meta, name) => usesField(automation, meta, name))
    if (wrong) report(['when'], wrong)
  }
  return problems
}

type Report = (path: (string | number)[], message: string) => void

function checkCondition(
  { of, when }: Automation,
  metas: Metas,
  { entities = {}, deadlines = [] }: AutomationNames,
  report: Report,
): void {
  const others = {
    fields: new Map(),
    elsewhere: {
      ...(entities[of] && { record: entities[of].properties }),
      ...(entities.client && { 'with.client': entities.client.properties }),
      deadline: deadlineProperties(deadlines.filter((one) => one.of === of)),
    },
    caseRecord: { fields: fieldsByName(metas.case_meta), columns: entities.case?.properties ?? {} },
  }
  checkWhen(when, fieldsByName(metas[META_OF[of]]), others, (path, message) =>
    report(['when', ...path], message),
  )
}

/** The states of deadlines as fields of a record. */
function deadlineProperties(deadlines: Deadline[]): Elsewhere[string] {
  const options = DEADLINE_STATES.map((value) => ({ value, label: value }))
  return Object.fromEntries(
    deadlines.map(({ name, label }): [string, Property] => [name, { title: label, type: 'string', options }]),
  )
}

function checkOutcomes({ of, then }: Automation, metas: Metas, names: AutomationNames, report: Report): void {
  const fields = fieldsByName(metas[META_OF[of]])
  if (then.filter((one) => verbOf(one) === 'alert').length > 1)
    report(['then'], 'An automation shows at most one alert; make a further automation for the other')
  for (const [i, outcome] of then.entries()) {
    const verb = verbOf(outcome)
    for (const name of placeholdersIn(filledTextOf(outcome) ?? '')) {
      const error = placeholderError('automation', name, fields, undefined, fields.keys())
      if (error) report(['then', i, OUTCOMES[verb].text], error)
    }
    CHECKS[verb]?.(outcome as never, names, (path, message) => report(['then', i, ...path], message))
  }
}

const CHECKS: Partial<Record<Verb, (outcome: never, names: AutomationNames, report: Report) => void>> = {
  notify: ({ notify }: NotifyOutcome, { groups }, report) => {
    for (const [i, receiver] of notify.entries()) {
      if (!groups || !receiver.startsWith(GROUP_PREFIX)) continue
      const name = receiver.slice(GROUP_PREFIX.length)
      if (!groups.includes(name))
        report(['notify', i], `There is no group of people ${quoted(name)}${suggest(name, groups)}`)
    }
  },
  hold: ({ pass = [] }: HoldOutcome, { roles }, report) => {
    for (const [i, role] of pass.entries())
      if (roles && !roles.includes(role))
        report(['pass', i], `There is no role '${role}'${suggest(role, roles)}`)
  },
}
