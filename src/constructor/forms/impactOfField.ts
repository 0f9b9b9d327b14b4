import type { ItemLabel } from '../../contract/describeAnswer.ts'
import { FIELD_TYPES, hasPoints, holdsRows, offeredOptions } from '../../contract/fieldTypes.ts'
import { describeKinds } from '../../contract/fileKinds.ts'
import type { Field } from '../../contract/generated.ts'
import { isEqual } from '../../contract/isEqual.ts'
import { describeCalculation } from '../../contract/meta/describeCalculation.ts'
import { describeCondition } from '../../contract/meta/describeCondition.ts'
import { isToggled, type Placed, whensOf } from '../../contract/meta/impactPlaces.ts'
import { pluralise } from '../../contract/pluralise.ts'
import { quoted, quotedAll, shortened } from '../../contract/quoted.ts'
import { MAX_ROWS } from '../../contract/repeatLimits.ts'
import { describeScale } from '../../contract/scale.ts'
import type { When } from '../../contract/when.ts'
import { describePattern, describeRule } from './describeRule.ts'
import { type Count, haveAnswer, haveNone, isAnswered } from './impactCount.ts'

/** Fields that the conditions and rules of a field can refer to, and labels of lookup items. */
export interface Reach {
  fields: Map<string, Field>
  itemLabel?: ItemLabel
}
type Sentence = (was: Placed, is: Placed, count: Count, reach: Reach) => string | undefined

const KEPT = 'hides are kept and no longer shown'

/** Effects of a changed field on existing records; the count of a column is that of its repeat. */
export function impactOfField(was: Placed, is: Placed, count: Count, reach: Reach): string[] {
  return SENTENCES.flatMap((sentence) => sentence(was, is, count, reach) ?? [])
}

export function impactOfNew(is: Placed, count: Count, reach: Reach): string {
  const { total, answered, one } = count
  const label = nameOf(is)
  if (!is.isOn) return `${label} is new and switched off: nobody is asked yet`
  const from = answered > 0 ? `: ${haveAnswer(count)} from before` : ''
  const must = mustOf(is)
  if (!must || total === 0) return `${label} is new${from}`
  const when = must === true ? '' : ` when ${shortened(whenWords(must, reach))}`
  if (is.repeats.length > 0) return `${label} is new and required${when} in every row`
  const all = answered === 0 && must === true && whensOf(is).length === 0
  const whom = all ? `no ${one} has an answer` : haveNone(count, isSometimes(is))
  return `${label} is new and required${when}: ${whom}; it is asked for when they are next changed`
}

export function impactOfRemoved(was: Placed, count: Count): string {
  if (!isAnswered(count)) return `${nameOf(was)} is removed; ${haveAnswer(count)}`
  return `${nameOf(was)} is removed: ${haveAnswer(count)}; the answers are kept and no longer shown`
}

/** "'Phone' of 'Family'" for a column, else the label. */
export function nameOf({ field, repeats }: Placed): string {
  const label = quoted(field.label, field.name)
  const repeat = repeats.at(-1)
  return repeat ? `${label} of ${quoted(repeat.label, repeat.name)}` : label
}

export function whenWords(when: When, { fields, itemLabel }: Reach): string {
  return describeCondition(when, fields, itemLabel)
}

const SENTENCES: Sentence[] = [
  (was, is, count) => {
    if (!isToggled(was, is) || is.isOn) return undefined
    if (!isAnswered(count)) return `${nameOf(is)} is switched off: ${haveAnswer(count)}`
    return `${nameOf(is)} is switched off: ${haveAnswer(count)}; the answers are kept and no longer shown`
  },
  (was, is, count) => {
    if (!isToggled(was, is) || !is.isOn) return undefined
    if (!isAnswered(count)) return `${nameOf(is)} is switched on: ${haveAnswer(count)} yet`
    const but = whensOf(is).length > 0 ? `; answers that its condition ${KEPT}` : ''
    return `${nameOf(is)} is switched on: ${haveAnswer(count)} from before, which is shown again${but}`
  },
  (was, is, count, reach) => {
    const before = was.isOn ? mustOf(was) : undefined
    const now = mustOf(is)
    if (!is.isOn || isEqual(before, now)) return undefined
    if (!now) return `${nameOf(is)} need no longer be answered`
    const when =
      now === true ? '' : ` ${before === true ? 'only ' : ''}when ${shortened(whenWords(now, reach))}`
    const what = `${nameOf(is)} is required now${when}`
    if (before === true || count.total === 0) return what
    if (is.repeats.length > 0) {
      return count.answered > 0 ? `${what}: ${haveAnswer(count)}; a row without it is asked for it` : what
    }
    if (count.answered >= count.total) return `${what}: every ${count.one} has an answer`
    return `${what}: ${haveNone(count, isSometimes(is))} to it, and it is asked for when they are next changed`
  },
  (was, is, count, reach) => {
    const isElsewhere = was.group.name !== is.group.name
    const [before, now] = [was, is].map((one) => (isElsewhere ? whensOf(one) : one.field.attrs?.when))
    if (!was.isOn || !is.isOn || !isAnswered(count) || isEqual(before, now)) return undefined
    const whens = whensOf(is)
    if (whens.length === 0 || (!isElsewhere && !is.field.attrs?.when))
      return `${nameOf(is)} is always shown now`
    const words = (isElsewhere ? whens : [is.field.attrs!.when!]).map((one) => whenWords(one, reach))
    return `${nameOf(is)} is shown only when ${shortened(words.join(' and '))} now: ${haveAnswer(count)}; answers that the new condition ${KEPT}`
  },
  (was, is, count) => {
    if (!is.isOn || count.answered === 0) return undefined
    const active = new Set(offeredOptions(was.field).map((o) => o.value))
    const gone = (is.field.attrs?.options ?? []).filter((o) => o.active === false && active.has(o.value))
    if (gone.length === 0) return undefined
    const [are, stay, have] = gone.length > 1 ? ['are', 'they stay', 'them'] : ['is', 'it stays', 'it']
    return `${quotedAll(gone.map((o) => o.label))} of ${nameOf(is)} ${are} retired: ${stay} on records that have ${have}`
  },
  (was, is, count, reach) => {
    if (!is.isOn || count.answered === 0 || was.field.type !== is.field.type) return undefined
    const narrowed = narrowedOf(was.field, is.field, reach)
    if (narrowed.length === 0) return undefined
    return `${nameOf(is)} ${narrowed.join(' and ')} now: ${haveAnswer(count)}; one that breaks this stays until it is changed`
  },
  (was, is, count) => {
    const [before, now] = [was, is].map(({ field: { attrs } }) => describeScale(attrs))
    if (!is.isOn || !hasPoints(is.field) || count.answered === 0 || before === now) return undefined
    return `${nameOf(is)} is a scale from ${now} now, no longer from ${before}: ${haveAnswer(count)}, which stays as it is`
  },
  (was, is, count, reach) => {
    const [before, now] = [was, is].map(({ field: { attrs } }) => attrs?.calc && formulaOf(attrs))
    if (!is.isOn || count.total === 0 || isEqual(before, now)) return undefined
    if (!now) return `${nameOf(is)} is asked now and no longer calculated: ${haveAnswer(count)}, which stays`
    return `${nameOf(is)} is ${describeCalculation(is.field, reach.fields)} now: it is calculated anew for every ${count.one}`
  },
  (was, is, count) => {
    const [before, now] = [was, is].map((one) => one.field.attrs?.hidden === true)
    if (!is.isOn || count.total === 0 || before === now) return undefined
    return now
      ? `${nameOf(is)} is hidden now: ${haveAnswer(count)}, which stays and is no longer shown`
      : `${nameOf(is)} is no longer hidden: ${haveAnswer(count)}, which people see and may change now`
  },
  (was, is, count, reach) => {
    const old = was.field.attrs?.checks ?? []
    const added = (is.field.attrs?.checks ?? []).filter((one) => !old.some((o) => isEqual(o.when, one.when)))
    if (!is.isOn || count.answered === 0 || added.length === 0) return undefined
    const words = shortened(added.map(({ when }) => whenWords(when, reach)).join(', or '))
    return `${nameOf(is)} is refused now when ${words}: ${haveAnswer(count)}; one that breaks this stays until it is changed`
  },
  (was, is, count) => {
    const [before, now] = [was, is].map((one) => one.field.attrs?.sensitive === true)
    if (before === now || count.answered === 0) return undefined
    return now
      ? `${nameOf(is)} is sensitive now: lists and exports leave it out`
      : `${nameOf(is)} is no longer sensitive: ${haveAnswer(count)}, which lists and exports may show`
  },
]

function formulaOf({ calc, of, choose, rows_when }: NonNullable<Field['attrs']>): unknown[] {
  return [calc, of, choose, rows_when]
}

/** When a visible field must be answered: true for always, a condition, or undefined for never. */
function mustOf({ field: { attrs } }: Placed): true | When | undefined {
  return attrs?.required ? true : attrs?.required_when
}

function isSometimes(is: Placed): boolean {
  return whensOf(is).length > 0 || mustOf(is) !== true
}

function narrowedOf(was: Field, is: Field, reach: Reach): string[] {
  const unit = holdsRows(is) ? 'row' : undefined
  const words = (key: Limit, limit: number) => {
    if (key === 'max_size') return `must be ${limit} MB or smaller`
    if (key === 'max_words') return `may have at most ${pluralise(limit, 'word')}`
    if (key === 'max_length') return `may have at most ${pluralise(limit, 'character')}`
    const bound = unit ? pluralise(limit, unit) : limit.toLocaleString('en-GB')
    const verb = unit ? (key === 'min' ? 'must have' : 'may have') : 'must be'
    return `${verb} at ${key === 'min' ? 'least' : 'most'} ${bound}`
  }
  // The range of a scale is reported together with its labels.
  const keys = hasPoints(is) ? [] : LIMIT_KEYS
  const limits = keys.flatMap((key) => {
    const [before, now] = [was, is].map((one) => limitOf(one, key))
    return (key === 'min' ? now > before : now < before) ? [words(key, now)] : []
  })
  const old = new Set(was.attrs?.rules)
  const rules = (is.attrs?.rules ?? [])
    .filter((rule) => !old.has(rule))
    .map((rule) => describeRule(rule, reach.fields))
  const { pattern } = is.attrs ?? {}
  const isOtherPattern = pattern !== undefined && pattern.matches !== was.attrs?.pattern?.matches
  const kinds = is.attrs?.accept
  const isNarrower = kinds && (!was.attrs?.accept || was.attrs.accept.some((kind) => !kinds.includes(kind)))
  const known =
    is.attrs?.known_only && !was.attrs?.known_only ? ['can no longer be answered ‘Not known’'] : []
  const stood = new Set((was.attrs?.options ?? []).filter((o) => !o.exclusive).map((o) => o.value))
  const exclusive = (is.attrs?.options ?? [])
    .filter((o) => o.exclusive && stood.has(o.value))
    .map((o) => `can no longer be ${quoted(o.label, String(o.value))} and something else as well`)
  const from = is.attrs?.rows_from
  const counted =
    from && from !== was.attrs?.rows_from
      ? [`must have as many rows as ${quoted(reach.fields.get(from)?.label ?? from, from)} says`]
      : []
  return [
    ...counted,
    ...limits,
    ...exclusive,
    ...(isNarrower ? [`must be ${describeKinds(kinds)}`] : []),
    ...known,
    ...rules,
    ...(isOtherPattern ? [describePattern(pattern)] : []),
  ]
}

const LIMIT_KEYS = ['min', 'max', 'max_length', 'max_words', 'max_size'] as const
type Limit = (typeof LIMIT_KEYS)[number]

/** A limit of a field, or that of its type. */
function limitOf({ type, attrs }: Field, key: Limit): number {
  const ofRows = holdsRows({ type }) ? { min: 0, max: MAX_ROWS } : {}
  const ofType: Partial<Record<Limit, number>> = { ...ofRows, max_length: FIELD_TYPES[type].longest }
  return attrs?.[key] ?? ofType[key] ?? (key === 'min' ? -Infinity : Infinity)
}
