import { chosenRow } from '../choose.ts'
import { computedDefault, sourcesOf } from '../computedDefault.ts'
import { describeAnswer, type ItemLabel } from '../describeAnswer.ts'
import { holdsRows, isQuestion, isRendered } from '../fieldTypes.ts'
import { WITHHELD } from '../filledTexts.ts'
import type { Field, Group } from '../generated.ts'
import { capitalised, quoted, shortened } from '../quoted.ts'
import { fieldOfPath } from '../seen.ts'
import { parentOf } from '../subgroups.ts'
import {
  type ConditionContext,
  getIn,
  holds,
  isElsewhere,
  isPlainObject,
  isSet,
  pathsOf,
  valueAt,
  type When,
} from '../when.ts'
import { isUnfinished, testsOf } from './conditionTests.ts'
import { type Audience, type ConditionView, viewOf, viewOfRow } from './conditionView.ts'
import { describeCalculation, describeThen } from './describeCalculation.ts'
import { describeCondition, describeSubject } from './describeCondition.ts'
import { describeDefault } from './describeDefault.ts'
import { findField } from './findField.ts'

/** Explanation of the present state of a field; every text is a sentence. */
export interface Why {
  isVisible: boolean
  isRequired: boolean
  /** Why it is visible or hidden; for a hidden field, all reasons. */
  visibleReasons: string[]
  /** Why it must be answered or is optional. */
  required: string[]
  /** A sentence for each check that refuses its answer; undefined if none does. */
  refused?: string[]
}
const MANY = 6

/**
 * Explains why a form with these answers shows or hides a field, and requires it or not. The path of a column names its
 * row: 'family.0.phone' is in the first row of the answers, 'family.phone' in the row of the condition context, and
 * likewise in nested repeats.
 */
export function whyField(
  groups: Group[],
  name: string,
  conditionContext: ConditionContext,
  itemLabel?: ItemLabel,
  audience: Audience = 'administrators',
): Why {
  const found = findField(groups, name)
  if (!found) {
    return {
      isVisible: false,
      isRequired: false,
      visibleReasons: [`There is no field ${quoted(name)}.`],
      required: [],
    }
  }
  const { group, repeats } = found
  const nameOf = (one: Group) => `its group ${quoted(one.label, one.name)}`
  // The group under whose heading its group stands comes first.
  const around = [parentOf(groups, group), group].filter((one) => one !== undefined)
  const groupReasons = (view: ConditionView) =>
    around.flatMap((one) => hiddenReasons(one.attrs?.when, nameOf(one), view))
  let view: ConditionView = { ...viewOf(groups, conditionContext), audience, itemLabel }
  let isVisible = true
  let within = conditionContext.answers
  const reasons = around.flatMap((one) => offReasons(one, capitalised(nameOf(one))))
  for (const [i, { repeat, row }] of repeats.entries()) {
    isVisible &&= !view.isHidden(repeat.name)
    reasons.push(...ownReasons(repeat, view, i === 0 ? groupReasons(view) : []))
    const rowAt = row === undefined ? i === 0 && conditionContext.row : getIn(within, [repeat.name, row])
    within = isPlainObject(rowAt) ? rowAt : {}
    view = viewOfRow(repeat, within, view)
  }
  const field = { ...found.field, label: view.reach.get(found.field.name)!.label }
  isVisible &&= !view.isHidden(field.name)
  const isColumn = repeats.length > 0
  reasons.push(...ownReasons(field, view, isColumn ? [] : groupReasons(view)))
  const whens = [...(isColumn ? [] : around.map(({ attrs }) => attrs?.when)), field.attrs?.when]
  return {
    isVisible,
    visibleReasons: isVisible ? visibleReasonsOf(field, whens, view) : orCircle(reasons, field),
    ...requirement(field, isVisible, view),
    ...(isVisible && refusals(field, view)),
  }
}

/** Why a field itself is hidden; the reasons of its group come in between. */
function ownReasons(field: Field, view: ConditionView, ofGroup: string[]): string[] {
  const label = quoted(field.label, field.name)
  return [...offReasons(field, label), ...ofGroup, ...hiddenReasons(field.attrs?.when, label, view, field)]
}

/** A cycle of conditions may hide a field although each of them holds. */
function orCircle(reasons: string[], { label, name }: Field): string[] {
  return reasons.length > 0
    ? reasons
    : [`${quoted(label, name)} is hidden because its condition goes in a circle.`]
}

function offReasons({ attrs }: Group | Field, what: string): string[] {
  return attrs?.is_on === false ? [`${what} is switched off.`] : []
}

function hiddenReasons(
  when: When | undefined,
  what: string,
  view: ConditionView,
  field: Pick<Field, 'attrs'> = {},
): string[] {
  if (!when || holds(when, view.visibleContext)) return []
  const unfinished = unfinishedOf(when, view)
  if (unfinished) return [`${capitalised(what)} is not shown: its condition is not finished. ${unfinished}.`]
  const failed = Object.entries(when).filter(([path, test]) => !holds({ [path]: test }, view.visibleContext))
  const state = statesOf(pathsOf(Object.fromEntries(failed)), view)
  const is = isRendered(field) ? 'is shown' : 'has a value'
  return [`${capitalised(what)} ${is} only when ${shortened(wordsOf(when, view))}${state}.`]
}

function visibleReasonsOf(field: Field, whens: (When | undefined)[], view: ConditionView): string[] {
  const label = quoted(field.label, field.name)
  const [unfinished] = whens.flatMap((when) => (when && unfinishedOf(when, view)) ?? [])
  if (unfinished) return [`${label} is shown although its condition is not finished. ${unfinished}.`]
  const words = whens.filter((when) => when !== undefined).map((when) => wordsOf(when, view))
  const all = shortened(words.join(' and '))
  if (!isRendered(field))
    return [
      `${label} is hidden: nobody sees it${words.length > 0 ? `, and it has a value because ${all}` : ''}.`,
    ]
  return [words.length > 0 ? `${label} is shown because ${all}.` : `${label} is always shown.`]
}

function requirement(item: Field, isVisible: boolean, view: ConditionView) {
  const { label, name, attrs = {} } = item
  const [field, must] = [quoted(label, name), attrs.required_when]
  if (!isQuestion(item)) return { isRequired: false, required: [`${field} is a note, which asks nothing.`] }
  if (attrs.calc) {
    return { isRequired: false, required: [`${field} is calculated: ${calculationOf(item, view)}.`] }
  }
  if (attrs.hidden) {
    const defaultWords = describeDefault(item, view.reach, view.itemLabel)
    const words = attrs.default === 'today' ? 'the day of that' : defaultWords
    return {
      isRequired: false,
      required: [`The save that first needs ${field} fills in ${words}${statesOfDefault(item, view)}.`],
    }
  }
  if (!attrs.required && !must)
    return { isRequired: false, required: [`${field} is optional.`, ...beginning(item, view)] }
  if (!isVisible) {
    return { isRequired: false, required: [`${field} need not be answered while it is hidden.`] }
  }
  if (attrs.required) {
    const required = [`${field} must be answered while it is shown.`, ...beginning(item, view)]
    return { isRequired: true, required }
  }
  const unfinished = unfinishedOf(must!, view)
  if (unfinished) {
    const isRequired = holds(must, view.visibleContext)
    const required = `${field} ${isRequired ? 'must' : 'need not'} be answered: that condition is not finished. ${unfinished}.`
    return { isRequired, required: [required] }
  }
  const words = shortened(wordsOf(must!, view))
  return holds(must, view.visibleContext)
    ? { isRequired: true, required: [`${field} must be answered because ${words}.`] }
    : {
        isRequired: false,
        required: [`${field} must be answered only when ${words}${statesOf(pathsOf(must), view)}.`],
      }
}

/** "'End' is refused because 'End' is before 'Start'; 'End' is now 1 May 2026, 'Start' is now 2 May 2026." */
function refusals({ label, name, attrs }: Field, view: ConditionView): { refused?: string[] } {
  if (!isSet(valueAt(name, view.visibleContext))) return {}
  const refused = (attrs?.checks ?? [])
    .filter(({ when }) => !unfinishedOf(when, view) && holds(when, view.visibleContext))
    .map(({ when }) => {
      const words = shortened(wordsOf(when, view))
      return `${quoted(label, name)} is refused because ${words}${statesOf(pathsOf(when), view)}.`
    })
  return refused.length > 0 ? { refused } : {}
}

/** What is missing in an unfinished condition, in words; undefined if it is complete. */
function unfinishedOf(when: When, { reach }: ConditionView): string | undefined {
  const [path] = [...testsOf(when)].find(([at, test]) => isUnfinished(at, test)) ?? []
  if (path === undefined) return undefined
  if (path === '') return 'Choose the field that it looks at'
  return `Choose the value of ${describeSubject(path, reach.get(path.split('.')[0]))}`
}

function wordsOf(when: When, view: ConditionView): string {
  if (pathsOf(when).some((path) => isConfidential(path, view)))
    return 'an answer that is not shown here calls for it'
  return describeCondition(when, view.reach, view.itemLabel)
}

function isConfidential(path: string, { audience, reach }: ConditionView): boolean {
  return audience === 'staff' && reach.get(path.split('.')[0])?.attrs?.hidden === true
}

/** "10 working days after 'Received'; 'Received' has no answer". */
function calculationOf(field: Field, view: ConditionView): string {
  if (field.attrs?.calc === 'choose') return choiceOf(field, view)
  const names = sourcesOf(field).filter((one) => typeof one === 'string' && view.reach.has(one)) as string[]
  return `${describeCalculation(field, view.reach, view.itemLabel)}${statesOf(names, view)}`
}

/** "Mild because 'Score' is at least 5 and is at most 9; 'Score' is now 7", or "None because no other condition holds". */
function choiceOf(field: Field, view: ConditionView): string {
  const row = chosenRow(field.attrs?.choose ?? [], view.visibleContext) ?? {}
  const value = shortened(describeThen(field, row, view.reach, view.itemLabel))
  if (row.when)
    return `${value} because ${shortened(wordsOf(row.when, view))}${statesOf(pathsOf(row.when), view)}`
  const names = sourcesOf(field).filter((one) => typeof one === 'string' && view.reach.has(one)) as string[]
  return `${value} because none of its conditions holds${statesOf([...new Set(names)], view)}`
}

/** The current values of the fields that a default depends on: "; 'Name' is now Ann". */
function statesOfDefault(field: Field, view: ConditionView): string {
  return statesOf(
    sourcesOf(field).filter((one) => typeof one === 'string' && view.reach.has(one)) as string[],
    view,
  )
}

/** Describes the computed default of a field. */
function beginning(field: Field, view: ConditionView): string[] {
  if (!computedDefault(field)) return []
  const words = describeDefault(field, view.reach, view.itemLabel)
  const label = quoted(field.label, field.name)
  return [`${label} begins as ${words} until somebody changes it${statesOfDefault(field, view)}.`]
}

/** The current values at the paths of a condition: "; 'Urgent' is now No, 'Ward' has no answer". */
function statesOf(all: string[], view: ConditionView): string {
  // The columns of rows that a condition tests have no value of their own.
  const isColumn = (path: string) => holdsRowsAt(path, view) && path.includes('.')
  const isThere = (path: string) =>
    isElsewhere(path) || path.startsWith('$') || view.reach.has(path.split('.')[0])
  const paths = all.filter((path) => !isConfidential(path, view) && !isColumn(path) && isThere(path))
  const states = paths.slice(0, MANY).map((path) => stateOf(path, view))
  if (paths.length > MANY) states.push(`and ${paths.length - MANY} more`)
  return states.length > 0 ? `; ${states.join(', ')}` : ''
}

function holdsRowsAt(path: string, { reach }: ConditionView): boolean {
  const field = reach.get(path.split('.')[0])
  return field !== undefined && holdsRows(field)
}

function stateOf(path: string, { reach, visibleContext, isHidden, itemLabel }: ConditionView): string {
  const head = fieldOfPath(path)
  const rest = path.slice(head.length + 1)
  const field = reach.get(head)
  const subject = describeSubject(path, field)
  if (visibleContext.seen?.values[head]?.isWithheld) return `${subject} is ${WITHHELD}`
  if (field && isHidden(head)) {
    return `${subject} is itself ${field.attrs?.is_on === false ? 'switched off' : 'hidden'}`
  }
  const value = valueAt(path, visibleContext)
  if (!isSet(value)) return `${subject} has no answer`
  return `${subject} is now ${describeAnswer(rest === '' ? field : undefined, value, itemLabel)}`
}
