import { computedDefault } from '../computedDefault.ts'
import { hasSameAmounts, isDecimal } from '../decimal.ts'
import { FIELD_TYPES, hasChoices, isSingleValue } from '../fieldTypes.ts'
import type { Field } from '../generated.ts'
import { quoted } from '../quoted.ts'
import type { TypeFacts } from '../typeFacts.ts'
import { ANSWER_ATTRIBUTES, type Around, checkFormula } from './checkCalculation.ts'
import type { Known, Report } from './metaTypes.ts'

/** Attributes that a hidden field cannot have; unlike a calculated one it may have a default, rules and limits. */
const NOT_WHEN_HIDDEN = ANSWER_ATTRIBUTES.filter(
  ({ key }) => !['default', 'rules', 'min', 'max'].includes(key),
)

/** The person who fills in a form, whose id '$user.id' can be a default. */
export const ME: Field = {
  name: '$user.id',
  label: 'The person who fills it in',
  type: 'select',
  attrs: { lookup: 'staff' },
}

/** Checks a computed default, and that a hidden field has a value and no attributes for answers. */
export function checkDefault(field: Field, known: Known, around: Around, report: Report): void {
  const { attrs = {} } = field
  if (attrs.hidden) checkHidden(field, around, report)
  if (attrs.calc || !computedDefault(field)) return
  const why = whyNone(field, around)
  if (why) report(['attrs', 'default'], why)
  else checkComputed(field, known, around, (path, message) => report(['attrs', 'default', ...path], message))
}

function checkHidden({ label, name, attrs = {} }: Field, { repeats }: Around, report: Report) {
  const hidden = `${quoted(label, name)} is hidden`
  if (!attrs.calc && attrs.default === undefined)
    report(
      ['attrs', 'hidden'],
      `${hidden}, so nobody can answer it; say what it begins as, calculate it, or show it`,
    )
  else if (repeats.length > 0 && !attrs.calc)
    report(['attrs', 'hidden'], `${hidden} in every row, so it must be calculated; calculate or show it`)
  for (const { key, cannot } of NOT_WHEN_HIDDEN)
    if (attrs[key] !== undefined && attrs[key] !== false)
      report(['attrs', key], `${hidden}, so it cannot ${cannot}; remove that`)
}

/** Why a field cannot have a computed default; undefined if it can. */
function whyNone(field: Field, { repeats }: Around): string | undefined {
  const none = `${quoted(field.label, field.name)} cannot begin as another value; remove that`
  if (!isSingleValue(field)) return none
  const repeat = repeats.at(-1)
  return repeat && `In the rows of ${quoted(repeat.label, repeat.name)} ${none}`
}

function checkComputed(field: Field, known: Known, around: Around, report: Report) {
  const preset = computedDefault(field)!
  if (preset.calc === 'choose') {
    const name = quoted(field.label, field.name)
    report(
      ['calc'],
      `${name} cannot begin as a value by conditions; calculate that in a field of its own and begin as its answer`,
    )
    return
  }
  if (preset.calc) {
    checkFormula(field, preset, around, report)
    return
  }
  const reportAt: Report = (_, message) => report(['from'], message)
  const source = sourceOf(field, preset.from, known, around, reportAt)
  if (source && !isPrefill(field, source))
    reportAt(
      [],
      `${quoted(field.label, field.name)} cannot begin as ${quoted(source.label, source.name)}, which is of another kind; choose another`,
    )
}

/** The field at a path; if there is none, reports and returns undefined. */
function sourceOf(
  field: Field,
  path: string,
  known: Known,
  { reach }: Around,
  report: Report,
): Field | undefined {
  const name = quoted(field.label, field.name)
  const head = path.slice(1)
  const isAround = head.includes('.')
  const source = path === ME.name ? ME : reach.get(isAround ? path : head)
  if (head === '') report([], `Choose what ${name} begins as`)
  else if (head === field.name) report([], `${name} cannot begin as itself; choose another field`)
  else if (source) return source
  else if (!isAround || known.entities)
    report([], `${name} begins as '${head}', but there is no such field; choose another`)
  return undefined
}

/** True for whole numbers that are not those of a scale, a year or a time. */
function isAnyWholeNumber({ isWhole, isPlainNumber, results }: TypeFacts): boolean {
  return isWhole === true && isPlainNumber === true && results !== undefined
}

/** True if an answer of `source` can be the default of `field`. */
export function isPrefill(field: Field, source: Field): boolean {
  const { type, attrs = {} } = field
  const [facts, ofSource] = [FIELD_TYPES[type], FIELD_TYPES[source.type]]
  if (!isSingleValue(source)) return false
  // A text of several lines takes any text, and one of one line only texts of one line.
  if (facts.results?.includes('text'))
    return ofSource.calculates === 'text' && (facts.isMultiline === true || !ofSource.isMultiline)
  if (type !== source.type) return isDecimal(field) && isAnyWholeNumber(ofSource)
  if (isDecimal(field)) return hasSameAmounts(field, source)
  if (attrs.known_only) return source.attrs?.known_only === true
  if (!hasChoices(field)) return true
  if (attrs.lookup || source.attrs?.lookup) return attrs.lookup === source.attrs?.lookup
  const offered = new Set(attrs.options?.map(({ value }) => value))
  return (source.attrs?.options ?? []).every(({ value }) => offered.has(value))
}
