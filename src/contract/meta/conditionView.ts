import type { ItemLabel } from '../describeAnswer.ts'
import type { Field, Group } from '../generated.ts'
import { sourceOfPath } from '../seen.ts'
import { evaluate, evaluateRow, withVisibleRows } from '../visible.ts'
import type { ConditionContext, Values } from '../when.ts'
import { fieldsByName, withinReach } from './places.ts'

/** Staff do not see the answers of hidden fields. */
export type Audience = 'administrators' | 'staff'
/** Data for evaluating and describing the conditions of a field. */
export interface ConditionView {
  reach: Map<string, Field>
  /** Hidden answers are left out, as for `visible`. */
  visibleContext: ConditionContext
  isHidden: (name: string) => boolean
  audience: Audience
  itemLabel?: ItemLabel
}

type FormView = Omit<ConditionView, 'audience'>

const views = new WeakMap<ConditionContext, { groups: Group[]; view: FormView }>()

/** The view of a form, evaluated once for all explanations in a context. */
export function viewOf(groups: Group[], conditionContext: ConditionContext): FormView {
  const known = views.get(conditionContext)
  const view = known?.groups === groups ? known.view : viewNow(groups, conditionContext)
  views.set(conditionContext, { groups, view })
  return view
}

function viewNow(groups: Group[], conditionContext: ConditionContext): FormView {
  const { groups: visibleGroups, answers } = evaluate(groups, conditionContext)
  // The visible ones have answers in their labels.
  const outside = conditionContext.seen?.fields ?? []
  const reach = new Map([...outside, ...fieldsByName(groups), ...fieldsByName(visibleGroups)])
  const visibleNames = new Set(visibleGroups.flatMap((g) => g.fields.map((f) => f.name)))
  const isHidden = (name: string) => reach.has(name) && !visibleNames.has(name) && !sourceOfPath(name)
  return {
    reach,
    isHidden,
    visibleContext: {
      ...withVisibleRows(groups, conditionContext),
      row: undefined,
      answers: without(answers, isHidden),
    },
  }
}

/** The view of a row: its own columns take precedence over the answers around it. */
export function viewOfRow(repeat: Field, row: Values, around: ConditionView): ConditionView {
  const columns = repeat.fields ?? []
  const { fields, values } = evaluateRow(columns, row, around.visibleContext)
  const visibleNames = new Set(fields.map((c) => c.name))
  const own = new Set(columns.map((c) => c.name))
  const isHidden = (name: string) => (own.has(name) ? !visibleNames.has(name) : around.isHidden(name))
  const answers = without({ ...around.visibleContext.answers, ...values }, isHidden)
  return {
    ...around,
    reach: withinReach(around.reach, [repeat]),
    isHidden,
    visibleContext: { ...around.visibleContext, answers },
  }
}

function without(answers: Values = {}, isHidden: (name: string) => boolean): Values {
  return Object.fromEntries(Object.entries(answers).filter(([name]) => !isHidden(name)))
}
