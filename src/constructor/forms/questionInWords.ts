import { decimalFormatOf } from '../../contract/decimal.ts'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import { FIELD_TYPES, holdsRows, isEditable, isQuestion, isRendered } from '../../contract/fieldTypes.ts'
import { describeKinds } from '../../contract/fileKinds.ts'
import type { Field, Option } from '../../contract/generated.ts'
import { describeCalculation } from '../../contract/meta/describeCalculation.ts'
import { describeCondition } from '../../contract/meta/describeCondition.ts'
import { describeDefault } from '../../contract/meta/describeDefault.ts'
import { quoted } from '../../contract/quoted.ts'
import { describePattern, describeRule } from './describeRule.ts'
import { paramsInWords } from './diffParts.ts'
import { sortInWords } from './sortInWords.ts'

/** Most choices that are listed; of more, the first are listed and the others counted. */
const MAX_CHOICES = 12

/** Describes a question and its conditions in sentences; `reach` are the fields that they can refer to. */
export function questionInWords(field: Field, reach: Map<string, Field>, itemLabel?: ItemLabel): string[] {
  const { attrs = {} } = field
  const condition = (when: NonNullable<typeof attrs.when>) => describeCondition(when, reach, itemLabel)
  const defaultWords = describeDefault(field, reach, itemLabel)
  const sentences = [
    attrs.is_on === false && 'Switched off: it is not on the form',
    !isRendered(field) && 'Hidden: nobody sees it',
    isQuestion(field) ? answerInWords(field, reach, itemLabel) : noteInWords(field),
    attrs.when && `${isRendered(field) ? 'Shown' : 'Has a value'} only when ${condition(attrs.when)}`,
    attrs.calc && `Calculated: ${describeCalculation(field, reach, itemLabel)}`,
    isEditable(field) && requiredInWords(field, condition),
    attrs.required_text && `Where it is not answered the form says “${attrs.required_text}”`,
    defaultWords &&
      `Begins as ${defaultWords === 'Today' ? 'the day on which the form is opened' : defaultWords}`,
    ...(attrs.rules ?? []).map((rule) => `It ${describeRule(rule, reach)}`),
    attrs.pattern && `It ${describePattern(attrs.pattern)}, by the pattern ${attrs.pattern.matches}`,
    ...(attrs.checks ?? []).map(({ when, message }) => `Refused with “${message}” when ${condition(when)}`),
    attrs.row_label && `A row is called “${attrs.row_label}”`,
    attrs.rows_from && `As many rows as the answer to ${labelAt(reach, attrs.rows_from)}`,
    attrs.sort_by && sortInWords(field),
    attrs.help && `Help: ${attrs.help}`,
    attrs.report && 'Cases can be searched by it',
    attrs.sensitive && 'Sensitive: lists and exports leave it out',
    attrs.referral && 'Asked on the public referral form too',
  ]
  return sentences.filter((one) => typeof one === 'string' && one !== '').map(asSentence)
}

/** Words with a full stop, unless they end a sentence already. */
export function asSentence(words: string | false | undefined): string {
  const text = String(words).trim()
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function labelAt(reach: Map<string, Field>, name: string): string {
  return quoted(reach.get(name)?.label ?? name, name)
}

function requiredInWords(
  { attrs = {} }: Field,
  condition: (when: NonNullable<typeof attrs.when>) => string,
): string {
  if (attrs.required) return 'Must be answered'
  return attrs.required_when ? `Must be answered when ${condition(attrs.required_when)}` : 'Optional'
}

function noteInWords({ attrs = {} }: Field): string {
  return `${attrs.tone === 'warning' ? 'Warning' : 'Note'}: ${plainText(attrs.text ?? '')}`
}

/** Markdown without its marks, in one line. */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(/\*\*|__|`|^\s*[#>-]+\s/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** "One choice: Red, Blue and 3 more", "Number, at least 1". */
function answerInWords(field: Field, reach: Map<string, Field>, itemLabel?: ItemLabel): string {
  const { type, attrs = {} } = field
  const { options, lookup, max_length, max_words, max_size, accept } = attrs
  const { title, takesInWords } = FIELD_TYPES[type]
  if (options) return `${title}: ${choicesInWords(options)}`
  if (takesInWords) return takesInWords(attrs)
  const rows = holdsRows(field) ? ' rows' : ''
  const format = decimalFormatOf(field)
  const details = [
    format && (format.currency ? `in ${format.currency}` : `${format.places} decimal places`),
    attrs.unit && `in ${attrs.unit}`,
    attrs.min !== undefined && `at least ${attrs.min.toLocaleString('en-GB')}${rows}`,
    attrs.max !== undefined && `at most ${attrs.max.toLocaleString('en-GB')}${rows}`,
    max_length && `at most ${max_length.toLocaleString('en-GB')} characters`,
    max_words && `at most ${max_words.toLocaleString('en-GB')} words`,
    accept && describeKinds(accept),
    max_size && `at most ${max_size} MB`,
  ]
  const list = lookup ? ` from the list ${quoted(lookup.replaceAll('_', ' '))}` : ''
  const narrowed = attrs.lookup_params && paramsInWords(attrs.lookup_params, reach, itemLabel).join(', ')
  return [`${title}${list}`, narrowed && `narrowed by ${narrowed}`, ...details].filter(Boolean).join(', ')
}

function choicesInWords(options: Option[]): string {
  const offered = options.filter((option) => option.active !== false)
  const some = offered.length > MAX_CHOICES ? offered.slice(0, MAX_CHOICES - 1) : offered
  const words = some.map(({ label, hint, weight, exclusive }) => {
    const facts = [hint, weight !== undefined && `weight ${weight}`, exclusive && 'alone'].filter(Boolean)
    return facts.length > 0 ? `${label} (${facts.join(', ')})` : label
  })
  const retired = options.length - offered.length
  const others = [
    offered.length > some.length && `${offered.length - some.length} more`,
    retired > 0 && `${retired} retired`,
  ].filter(Boolean)
  return [...words, ...others].join(', ')
}
