import type { ItemLabel } from '../../contract/describeAnswer.ts'
import type { Field, Group } from '../../contract/generated.ts'
import { type Placed, placedOf } from '../../contract/meta/impactPlaces.ts'
import type { MetaName, Metas } from '../../contract/meta/metaTypes.ts'
import { fieldsByName, topField, withinReach } from '../../contract/meta/places.ts'
import { pluralise } from '../../contract/pluralise.ts'
import { affectedByOthers } from './affectedByOthers.ts'
import { type Count, countOf, haveAnswer, isAnswered, type TypeUsage } from './impactCount.ts'
import { impactOfField, impactOfNew, impactOfRemoved, nameOf, type Reach } from './impactOfField.ts'
import { impactOfGroup } from './impactOfGroup.ts'

/**
 * One effect of publishing on people or records; `field` is its name, for a column that of the top-level field around
 * it.
 */
interface Impact {
  meta: MetaName
  field?: string
  words: string
}

/**
 * Effects of publishing a new version of the forms, in its order, removals last. Labels, help texts, order and layout
 * have none. `usage` is counted with the published form.
 */
export function impactOf(before: Metas, after: Metas, usage: TypeUsage, itemLabel?: ItemLabel): Impact[] {
  return (['case_meta', 'issue_meta'] as const).flatMap((meta) =>
    impactOfForm(before[meta], after[meta], (name) => countOf(meta, name, usage), itemLabel).map((one) => ({
      meta,
      ...one,
    })),
  )
}

/** One-line summary: how many records use the case type, and how much changes for them. */
export function summaryOf(impacts: Impact[], usage: TypeUsage): string {
  const { cases, issues } = usage
  const isUsed = cases + issues > 0
  const used = isUsed
    ? `Used by ${pluralise(cases, 'case')} and ${pluralise(issues, 'issue')}`
    : 'Not used by any case yet'
  if (impacts.length === 0) return isUsed ? `${used}; nothing changes in their forms` : used
  const forms = (['case_meta', 'issue_meta'] as const).flatMap((meta) => {
    const count = impacts.filter((one) => one.meta === meta).length
    return count > 0 ? [`${pluralise(count, 'change')} to ${meta === 'case_meta' ? 'cases' : 'issues'}`] : []
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
  const all = fieldsByName(after)
  const reachOf = (repeats: Field[]): Reach => ({ fields: withinReach(all, repeats), itemLabel })
  const ofPlace = (place: Placed) => counted(topField(place).name)
  const affected = affectedByOthers(was, is, (key) => isAnswered(counted(key.split('.', 1)[0])))
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
    // The columns of a new repeat are not reported on their own.
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

/** The key of the repeat of a column, from that of the column. */
function repeatKey(key: string): string {
  return key.slice(0, key.lastIndexOf('.'))
}

function affectedText(place: Placed, by: string, count: Count): string {
  return `${nameOf(place)} depends on ${by}: ${haveAnswer(count)}; answers that this hides are kept and no longer shown`
}
