import type { Contract } from '../../../contract/contract.ts'
import { countsSeconds } from '../../../contract/fieldTypes.ts'
import type { FieldType } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import { isPlainObject, isSet, type Values } from '../../../contract/when.ts'
import { formatDate } from '../../core/dates.ts'
import { entityOf } from '../../core/entityOf.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import { join } from './paths.ts'
import type { FormSection } from './sections.ts'

/** Maximum number of fields that a notice names; the others are counted. */
const MAX_NAMED = 3

/**
 * 'Saved: telephone call with Ann Ames, 15 minutes' for the parts of a screen's `done` and the reply of its call; a part
 * is left out if one of its values is not set. Without `done`, 'Saved: action'.
 */
export function savedText(
  contract: Contract,
  call: string,
  done: string[] | undefined,
  reply: Values,
): string {
  const { properties, title } = entityOf(contract, call)
  const namesIn = (part: string) => [...part.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const parts = (done ?? []).filter((part) => namesIn(part).every((name) => isSet(reply[name])))
  const words = Object.fromEntries(
    Object.entries(reply).map(([name, value]) => [name, wordsOf(value, properties[name] ?? {})]),
  )
  return `Saved: ${lowerFirst(fillTemplate(parts.join(''), words) || title)}`
}

/** 'Saved: Ward, Summary and 2 more' for the fields that were sent. */
export function savedFieldsText(sections: FormSection[], sent: Values): string {
  const labels = sections.flatMap(({ at, groups }) =>
    groups.flatMap(({ fields }) =>
      fields.filter(({ name }) => isSent(sent, join(at, name))).map(({ label }) => label),
    ),
  )
  const names = [...new Set(labels)]
  return names.length > 0 ? `Saved: ${listed(names)}` : 'Saved'
}

/**
 * 'No longer counted: Reason' and 'Counted again: Reason' for the answers that a save has hidden or brought back.
 */
export function countedText(sections: FormSection[], before: Values, reply: Values): string[] {
  const [old, now] = [hiddenOf(before), hiddenOf(reply)]
  const answers = isPlainObject(reply.answers) ? reply.answers : {}
  const fields = sections.flatMap(({ groups }) => groups.flatMap((g) => g.fields))
  const labels = (names: string[]) => [
    ...new Set(names.map((name) => fields.find((one) => one.name === name)?.label ?? name)),
  ]
  const lines = [
    ['No longer counted', labels(Object.keys(now).filter((name) => !isEqual(old[name], now[name])))],
    ['Counted again', labels(Object.keys(old).filter((name) => !(name in now) && isSet(answers[name])))],
  ] as const
  return lines.filter(([, named]) => named.length > 0).map(([what, named]) => `${what}: ${listed(named)}`)
}

function hiddenOf({ hidden_answers }: Values): Values {
  return isPlainObject(hidden_answers) ? hidden_answers : {}
}

function listed(names: string[]): string {
  const others = names.length - MAX_NAMED
  return `${names.slice(0, MAX_NAMED).join(', ')}${others > 0 ? ` and ${others} more` : ''}`
}

function isSent(sent: Values, path: string): boolean {
  let value: unknown = sent
  for (const part of path.split('.')) {
    if (value === null || typeof value !== 'object' || !(part in value)) return false
    value = (value as Values)[part]
  }
  return true
}

function wordsOf(value: unknown, { fieldType, format }: { fieldType?: FieldType; format?: string }): unknown {
  if (countsSeconds(fieldType) && typeof value === 'number') return durationInWords(value)
  return format === 'date' && typeof value === 'string' ? formatDate(value) : value
}

/** '1 hour 15 minutes' for 4500 seconds. */
function durationInWords(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const parts = [
    [Math.floor(minutes / 60), 'hour'],
    [minutes % 60, 'minute'],
  ] as const
  const words = parts.filter(([n]) => n > 0).map(([n, unit]) => `${n} ${unit}${n === 1 ? '' : 's'}`)
  return words.join(' ') || '0 minutes'
}

/** Lower-cases the first letter, except of an abbreviation such as 'IMCA'. */
function lowerFirst(text: string): string {
  return /^\p{Lu}(?!\p{Lu})/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
}
