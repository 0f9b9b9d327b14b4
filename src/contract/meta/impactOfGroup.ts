import { isEqual } from '../applyChanges.ts'
import type { Field, Group } from '../generated.ts'
import { type Count, haveAnswer } from './impactCount.ts'
import { type Reach, whenWords } from './impactOfField.ts'
import { isOn } from './impactPlaces.ts'
import { quoted, shortened } from './quoted.ts'

/** What the switch or the condition of a group means for all its fields; only the most answered one is counted. */
export function impactOfGroup(
  was: Group,
  is: Group,
  countOf: (name: string) => Count,
  reach: Reach,
): string[] {
  const name = quoted(is.label, is.name)
  const fields = is.fields.filter(isOn)
  if (fields.length === 0) return []
  const most = fields.reduce((a, b) => (countOf(b.name).answered > countOf(a.name).answered ? b : a))
  const count = countOf(most.name)
  const counted = `${haveAnswer(count)}${inWhich(most, count, fields.length)}`
  if (isOn(was) !== isOn(is)) {
    const all = `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`
    if (!isOn(is)) {
      const fate = count.answered > 0 ? '; the answers are kept and no longer shown' : ''
      return [`The group ${name} is switched off with its ${all}: ${counted}${fate}`]
    }
    const before = count.answered > 0 ? ' from before, shown again while no condition hides it' : ' yet'
    return [`The group ${name} is switched on with its ${all}: ${counted}${before}`]
  }
  if (!isOn(is) || count.answered === 0 || isEqual(was.attrs?.when, is.attrs?.when)) return []
  const when = is.attrs?.when
  if (!when) return [`The group ${name} is always shown now`]
  return [
    `The group ${name} is shown only when ${shortened(whenWords(when, reach))} now: ${counted}; answers that the new condition hides are kept and no longer shown`,
  ]
}

function inWhich(most: Field, { answered }: Count, fields: number): string {
  if (answered === 0) return ''
  const label = quoted(most.label, most.name)
  return fields > 1 ? ` to ${label}, the most answered` : ` to ${label}`
}
