import type { Field, Group } from '../../contract/generated.ts'
import { isEqual } from '../../contract/isEqual.ts'
import { isOn } from '../../contract/meta/impactPlaces.ts'
import { quoted, shortened } from '../../contract/quoted.ts'
import { type Count, haveAnswer, isAnswered } from './impactCount.ts'
import { type Reach, whenWords } from './impactOfField.ts'

/** Effects of a changed switch or condition of a group on its fields; the count is that of the most answered one. */
export function impactOfGroup(
  was: Group,
  is: Group,
  countOf: (name: string) => Count,
  reach: Reach,
): string[] {
  const name = quoted(is.label, is.name)
  const fields = is.fields.filter(isOn)
  if (fields.length === 0) return []
  const most = fields.reduce((a, b) => (answersOf(countOf(b.name)) > answersOf(countOf(a.name)) ? b : a))
  const count = countOf(most.name)
  const counted = `${haveAnswer(count)}${inWhich(most, count, fields.length)}`
  if (isOn(was) !== isOn(is)) {
    const all = `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`
    if (!isOn(is)) {
      const fate = isAnswered(count) ? '; the answers are kept and no longer shown' : ''
      return [`The group ${name} is switched off with its ${all}: ${counted}${fate}`]
    }
    const before = isAnswered(count) ? ' from before, shown again while no condition hides it' : ' yet'
    return [`The group ${name} is switched on with its ${all}: ${counted}${before}`]
  }
  if (!isOn(is) || !isAnswered(count) || isEqual(was.attrs?.when, is.attrs?.when)) return []
  const when = is.attrs?.when
  if (!when) return [`The group ${name} is always shown now`]
  return [
    `The group ${name} is shown only when ${shortened(whenWords(when, reach))} now: ${counted}; answers that the new condition hides are kept and no longer shown`,
  ]
}

function answersOf({ answered, drafts }: Count): number {
  return answered + drafts
}

function inWhich(most: Field, count: Count, fields: number): string {
  if (!isAnswered(count)) return ''
  const label = quoted(most.label, most.name)
  return fields > 1 ? ` to ${label}, the most answered` : ` to ${label}`
}
