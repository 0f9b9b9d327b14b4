import { computedDefault, sourcesOf } from './computedDefault.ts'
import { namesInTexts } from './filledTexts.ts'
import type { Field, Group } from './generated.ts'
import { memoised } from './memoised.ts'
import { fieldOfPath, sourceOfPath } from './seen.ts'
import { pathsOf } from './when.ts'

/** The distinct values from outside that the switched-on parts of a form name ('$client.dob'). */
export const seenPathsOf = memoised((groups: Group[]): string[] => [...new Set(groups.flatMap(pathsBelow))])

const pathsBelow = memoised((part: Group | Field): string[] => {
  if (part.attrs?.is_on === false) return []
  return [...outsidePathsOf(part), ...(part.fields ?? []).flatMap(pathsBelow)]
})

/** The values from outside that a group or field names itself, without its fields. */
export function outsidePathsOf(part: Group | Field): string[] {
  const all = 'type' in part ? pathsOfField(part) : pathsOf(part.attrs?.when)
  return all.filter((path) => sourceOfPath(path) !== undefined).map(fieldOfPath)
}

function pathsOfField(field: Field): string[] {
  const { attrs } = field
  const preset = computedDefault(field)
  return [
    ...pathsOf(attrs?.when),
    ...pathsOf(attrs?.required_when),
    ...pathsOf(attrs?.rows_when),
    ...(attrs?.checks ?? []).flatMap(({ when }) => pathsOf(when)),
    ...sourcesOf(field).filter((one) => typeof one === 'string'),
    ...(preset && !preset.calc ? [preset.from] : []),
    ...namesInTexts(field),
  ]
}
