import { describeAnswer, type ItemLabel } from '../../contract/describeAnswer.ts'
import { FIELD_TYPES } from '../../contract/fieldTypes.ts'
import { describeKinds } from '../../contract/fileKinds.ts'
import type { Field, FieldAttrs, FieldType, Group, GroupAttrs, Option } from '../../contract/generated.ts'
import { isEqual } from '../../contract/isEqual.ts'
import { describeCalculation } from '../../contract/meta/describeCalculation.ts'
import { describeCondition } from '../../contract/meta/describeCondition.ts'
import { describeDefault } from '../../contract/meta/describeDefault.ts'
import { capitalised, quoted } from '../../contract/quoted.ts'
import type { When } from '../../contract/when.ts'
import { describePattern, describeRule } from './describeRule.ts'
import { sortInWords } from './sortInWords.ts'

/** One setting of a group or field before and after, in words; '' if it is not set. */
export interface Part {
  name: string
  before: string
  after: string
}
type Item = Group | Field
type Reach = Map<string, Field>
interface Setting {
  name: string
  /** The stored value; equal values are no difference. */
  of: (item: Item) => unknown
  words: (item: Item, reach: Reach, itemLabel?: ItemLabel) => string
  /** More precise words, for values that differ but read the same. */
  exactly?: (item: Item) => string
}

/** The settings that differ; for an added or removed item, without `was` or `is`, all its settings. */
export function partsOf(
  was: Item | undefined,
  is: Item | undefined,
  before: Reach,
  after: Reach,
  itemLabel?: ItemLabel,
): Part[] {
  return SETTINGS.flatMap(({ name, of, words, exactly }) => {
    if (isEqual(of(was ?? NOTHING), of(is ?? NOTHING))) return []
    const part = {
      name,
      before: was ? words(was, before, itemLabel) : '',
      after: is ? words(is, after, itemLabel) : '',
    }
    if (part.before !== part.after) return [part]
    if (!was || !is || !exactly) return []
    const exact = { name, before: exactly(was), after: exactly(is) }
    return exact.before === exact.after ? [] : [exact]
  })
}

const NOTHING: Group = { name: '', label: '', fields: [] }

const SETTINGS: Setting[] = [
  { name: 'Label', of: (item) => item.label, words: (item) => item.label },
  { name: 'Type', of: typeOf, words: (item) => typeWords(typeOf(item)) },
  {
    name: 'Text where it is not answered',
    of: ({ attrs }) => attrsOf(attrs).required_text,
    words: ({ attrs }) => attrsOf(attrs).required_text ?? '',
  },
  { name: 'Text', ...plain('text', (text) => text) },
  {
    name: 'Warning',
    of: ({ attrs }) => attrsOf(attrs).tone,
    words: ({ attrs }) => (attrsOf(attrs).tone ? 'Yes' : 'No'),
  },
  { name: 'Help', of: ({ attrs }) => attrsOf(attrs).help, words: ({ attrs }) => attrsOf(attrs).help ?? '' },
  {
    name: 'In use',
    of: ({ attrs }) => attrs?.is_on !== false,
    words: ({ attrs }) => (attrs?.is_on === false ? 'No' : 'Yes'),
  },
  {
    name: 'Drawn',
    of: layoutOf,
    words: (item) => (layoutOf(item) === 'matrix' ? 'As a table' : 'One below the other'),
  },
  {
    name: 'Stands under',
    of: (item) => groupAttrsOf(item).under,
    words: (item) => groupAttrsOf(item).under ?? '',
  },
  {
    name: 'Begins folded',
    of: (item) => groupAttrsOf(item).folded === true,
    words: (item) => (groupAttrsOf(item).folded ? 'Yes' : 'No'),
  },
  {
    name: 'Choices',
    of: ({ attrs }) => attrsOf(attrs).options,
    words: ({ attrs }) => (attrsOf(attrs).options ?? []).map(optionWords).join('\n'),
    exactly: ({ attrs }) =>
      (attrsOf(attrs).options ?? []).map((o) => `${optionWords(o)}, stored as ${o.value}`).join('\n'),
  },
  { name: 'List', ...plain('lookup', (list) => list.replaceAll('_', ' ')) },
  {
    name: 'Narrowed by',
    ...plain('lookup_params', (params, reach, itemLabel) =>
      paramsInWords(params, reach, itemLabel).join('\n'),
    ),
  },
  {
    name: 'Calculated',
    of: ({ attrs }) => formulaOf(attrsOf(attrs)),
    words: (item, reach, itemLabel) => describeCalculation(item as Field, reach, itemLabel),
    exactly: ({ attrs }) => JSON.stringify(formulaOf(attrsOf(attrs))),
  },
  { name: 'Radio buttons', ...yesNo('radios') },
  { name: 'Without ‘Not known’', ...yesNo('known_only') },
  { name: 'Decimal places', ...plain('places', String) },
  { name: 'Unit', ...plain('unit', (unit) => unit) },
  { name: 'Currency', ...plain('currency', (currency) => currency) },
  { name: 'At least', ...plain('min', (limit) => limit.toLocaleString('en-GB')) },
  { name: 'At most', ...plain('max', (limit) => limit.toLocaleString('en-GB')) },
  { name: 'A row is called', ...plain('row_label', (text) => text) },
  {
    name: 'Sorted by',
    of: ({ attrs }) => [attrsOf(attrs).sort_by, attrsOf(attrs).sort_down],
    words: (item) => (attrsOf(item.attrs).sort_by ? sortInWords(item as Field) : ''),
  },
  {
    name: 'As many rows as',
    ...plain('rows_from', (name, reach) => quoted(reach.get(name)?.label ?? name, name)),
  },
  { name: 'Least means', ...plain('min_text', (text) => text) },
  { name: 'Most means', ...plain('max_text', (text) => text) },
  {
    name: 'Longest answer',
    ...plain('max_length', (limit) => `${limit.toLocaleString('en-GB')} characters`),
  },
  { name: 'Most words', ...plain('max_words', (limit) => limit.toLocaleString('en-GB')) },
  { name: 'Kinds of file', ...plain('accept', (kinds) => capitalised(describeKinds(kinds))) },
  { name: 'Largest file', ...plain('max_size', (limit) => `${limit} MB`) },
  {
    name: 'Rules',
    ...plain('rules', (rules, reach) =>
      rules.map((rule) => capitalised(describeRule(rule, reach))).join('\n'),
    ),
  },
  {
    name: 'Pattern',
    ...plain('pattern', (pattern) => `${capitalised(describePattern(pattern))}: ${pattern.matches}`),
  },
  {
    name: 'Checks',
    ...plain('checks', (checks, reach, itemLabel) =>
      checks
        .map(({ when, message }) => `${message} – when ${describeCondition(when, reach, itemLabel)}`)
        .join('\n'),
    ),
    exactly: ({ attrs }) => JSON.stringify(attrsOf(attrs).checks ?? ''),
  },
  {
    name: 'Begins as',
    of: ({ attrs }) => attrsOf(attrs).default,
    words: (item, reach, itemLabel) => describeDefault(item as Field, reach, itemLabel),
    exactly: ({ attrs }) => JSON.stringify(attrsOf(attrs).default ?? ''),
  },
  {
    name: 'Required',
    of: ({ attrs }) => mustOf(attrsOf(attrs)),
    words: ({ attrs }, reach, itemLabel) => {
      const must = mustOf(attrsOf(attrs))
      if (must === true) return 'Always'
      return must ? `When ${describeCondition(must, reach, itemLabel)}` : 'No'
    },
    exactly: ({ attrs }) => JSON.stringify(mustOf(attrsOf(attrs)) ?? ''),
  },
  {
    name: 'Shown when',
    of: ({ attrs }) => attrs?.when,
    words: ({ attrs }, reach, itemLabel) =>
      attrs?.when ? describeCondition(attrs.when, reach, itemLabel) : 'Always',
    exactly: ({ attrs }) => JSON.stringify(attrs?.when ?? ''),
  },
  { name: 'Hidden from everybody', ...yesNo('hidden') },
  { name: 'Sensitive', ...yesNo('sensitive') },
  { name: 'Asked in the public referral form', ...yesNo('referral') },
  { name: 'Cases can be searched by it', ...yesNo('report') },
  { name: 'Only shown, never edited', ...yesNo('read_only') },
  { name: 'Names a', ...plain('ref', (entity) => entity) },
]

/** Attributes of a group or field; those that only fields have are undefined for a group. */
function attrsOf(attrs: Item['attrs']): FieldAttrs {
  return attrs ?? {}
}

function typeOf(item: Item): FieldType | undefined {
  return 'type' in item ? item.type : undefined
}

function formulaOf({ calc, of, choose, rows_when }: FieldAttrs): unknown[] {
  return [calc, of, choose, rows_when]
}

function layoutOf(item: Item): GroupAttrs['layout'] {
  return 'type' in item ? undefined : item.attrs?.layout
}

function groupAttrsOf(item: Item): GroupAttrs {
  return 'type' in item ? {} : (item.attrs ?? {})
}

function typeWords(type: FieldType | undefined): string {
  return type ? (FIELD_TYPES[type]?.title ?? type) : ''
}

function mustOf({ required, required_when }: FieldAttrs): true | When | undefined {
  return required ? true : required_when
}

function optionWords({ label, hint, weight, exclusive, active }: Option): string {
  const weightText = weight === undefined ? '' : `, weight ${weight}`
  return `${label}${hint ? ` – ${hint}` : ''}${weightText}${exclusive ? ', excludes all others' : ''}${active === false ? ' (retired)' : ''}`
}

/** Describes the parameters of a lookup: "area: what is answered in 'Where'". */
export function paramsInWords(
  params: NonNullable<FieldAttrs['lookup_params']>,
  reach: Reach,
  itemLabel?: ItemLabel,
): string[] {
  return Object.entries(params).map(
    ([key, value]) => `${key.replaceAll('_', ' ')}: ${sourceWords(key, value, reach, itemLabel)}`,
  )
}

function sourceWords(
  key: string,
  value: string | number | boolean,
  reach: Reach,
  itemLabel?: ItemLabel,
): string {
  // A parameter is named after the lookup whose items it takes.
  if (typeof value === 'number') return itemLabel?.(key, value) ?? `item ${value}`
  if (typeof value === 'boolean' || !value.startsWith('$')) return describeAnswer(undefined, value)
  const [head, ...rest] = value.slice(1).split('.')
  const field = rest.length === 0 ? reach.get(head) : undefined
  if (field) return `what is answered in ${quoted(field.label, head)}`
  return rest.length > 0 ? `${rest.join(' ').replaceAll('_', ' ')} of the ${head}` : quoted(head)
}

function plain<Key extends keyof FieldAttrs>(
  key: Key,
  words: (value: NonNullable<FieldAttrs[Key]>, reach: Reach, itemLabel?: ItemLabel) => string,
): Omit<Setting, 'name'> {
  const of = (item: Item) => attrsOf(item.attrs)[key]
  return {
    of,
    words: (item, reach, itemLabel) => {
      const value = of(item)
      return value === undefined ? '' : words(value!, reach, itemLabel)
    },
  }
}

function yesNo(
  key: 'hidden' | 'known_only' | 'radios' | 'sensitive' | 'report' | 'referral' | 'read_only',
): Omit<Setting, 'name'> {
  return {
    of: (item) => attrsOf(item.attrs)[key] === true,
    words: (item) => (attrsOf(item.attrs)[key] ? 'Yes' : 'No'),
  }
}
