import type { Field, Group } from '../generated.ts'
import { affectedByOthers } from './affectedByOthers.ts'
import type { ItemLabel } from './describeAnswer.ts'
import { amount, type Count, countOf, haveAnswer, type TypeUsage } from './impactCount.ts'
import { impactOfField, impactOfNew, impactOfRemoved, nameOf, type Reach } from './impactOfField.ts'
import { impactOfGroup } from './impactOfGroup.ts'
import { type Placed, placedOf } from './impactPlaces.ts'
import type { MetaName, Metas } from './metaTypes.ts'
import { fieldsByName, topField, withinReach } from './places.ts'

/** One thing that publishing changes for people or records; `field` is the name, of a column that of the form's field it lies in. */
interface Impact {
  meta: MetaName
  field?: string
  words: string
}

/**
 * What it means to publish one form after another, in the order of the new one, what is removed last. Labels, helps,
 * the order and how a group is drawn say nothing. `usage` is counted with the published form.
 */
export function impactOf(before: Metas, after: Metas, usage: TypeUsage, itemLabel?: ItemLabel): Impact[] {
  return (['case_meta', 'issue_meta'] as const).flatMap((meta) =>
    impactOfForm(before[meta], after[meta], (name) => countOf(meta, name, usage), itemLabel).map((one) => ({
      meta,
      ...one,
    })),
  )
}

/** The impacts in one line: by whom the case type is used and how much changes for them. */
export function summaryOf(impacts: Impact[], usage: TypeUsage): string {
  const { cases, issues } = usage
  const isUsed = cases + issues > 0
  const used = isUsed
    ? `Used by ${amount(cases, 'case')} and ${amount(issues, 'issue')}`
    : 'Not used by any case yet'
  if (impacts.length === 0) return isUsed ? `${used}; nothing changes for them` : used
  const forms = (['case_meta', 'issue_meta'] as const).flatMap((meta) => {
    const count = impacts.filter((one) => one.meta === meta).length
    return count > 0 ? [`${amount(count, 'change')} to ${meta === 'case_meta' ? 'cases' : 'issues'}`] : []
  })
  return `${used}; publishing brings ${forms.join(' and ')}`
}

type Counted = (name: string) => Count

function impactOfForm(
  before: Group[],
  after: Group[],
  counted: Counted,
  itemLabel?: ItemLabel,
): Omit<Impact, 'meta'>[] {
  const [was, is] = [placedOf(before), placedOf(after)]
  const reachOf = reachesOf(after, itemLabel)
  const ofPlace = (place: Placed) => counted(topField(place).name)
  const affected = affectedByOthers(was, is, (key) => counted(key.split('.', 1)[0]).answered > 0)
  const groups = new Map(before.map((group) => [group.name, group]))
  const impacts: Omit<Impact, 'meta'>[] = []
  let last: Group | undefined
  for (const [key, place] of is) {
    if (place.group !== last) {
      last = place.group
      const old = groups.get(last.name)
      const sentences = old ? impactOfGroup(old, last, counted, reachOf([])) : []
      impacts.push(...sentences.map((words) => ({ words })))
    }
    const field = topField(place).name
    const [old, count, reach] = [was.get(key), ofPlace(place), reachOf(place.repeats)]
    if (old) impacts.push(...impactOfField(old, place, count, reach).map((words) => ({ field, words })))
    // The columns of a new repeat are told with it.
    else if (place.repeats.length === 0 || was.has(repeatKey(key)))
      impacts.push({ field, words: impactOfNew(place, count, reach) })
    const by = affected.get(key)
    if (by) impacts.push({ field, words: affectedText(place, by, count) })
  }
  for (const [key, place] of was) {
    if (is.has(key) || (place.repeats.length > 0 && !is.has(repeatKey(key)))) continue
    impacts.push({ field: topField(place).name, words: impactOfRemoved(place, ofPlace(place)) })
  }
  return impacts
}

/** The key of the repeat whose column a key names. */
function repeatKey(key: string): string {
  return key.slice(0, key.lastIndexOf('.'))
}

function affectedText(place: Placed, by: string, count: Count): string {
  return `${nameOf(place)} depends on ${by}: ${haveAnswer(count)}; answers that this hides are kept and no longer shown`
}

/** The reach of each repeat's columns, made once; outside of all that of the form's fields. */
function reachesOf(groups: Group[], itemLabel?: ItemLabel): (repeats: Field[]) => Reach {
  const all = { fields: fieldsByName(groups), itemLabel }
  const made = new Map<Field, Reach>()
  return (repeats) => {
    const repeat = repeats.at(-1)
    if (!repeat) return all
    const found = made.get(repeat) ?? { fields: withinReach(all.fields, repeats), itemLabel }
    made.set(repeat, found)
    return found
  }
}
