import { isFieldName, ROW_KEY } from '../fieldName.ts'
import { holdsRows, isQuestion } from '../fieldTypes.ts'
import { placeholdersIn, textsOf } from '../filledTexts.ts'
import { followersOfLast } from '../followers.ts'
import type { Field, Group } from '../generated.ts'
import { picturesIn } from '../notePictures.ts'
import { MAX_ROWS, mostInnerRows, mostRows } from '../repeatLimits.ts'
import { todayDependentColumns, todayDependentNames } from '../todayDependent.ts'
import { type Around, checkCalculation } from './checkCalculation.ts'
import { checkChoices } from './checkChoices.ts'
import { checkDefault } from './checkDefault.ts'
import { checkFillable } from './checkFillable.ts'
import { checkLimits } from './checkLimits.ts'
import { checkMatrix } from './checkMatrix.ts'
import { checkRows } from './checkRows.ts'
import { checkSubgroups } from './checkSubgroups.ts'
import { RESERVED } from './fieldUsage.ts'
import { countFields, FORM_LIMITS, MAX_LABEL_LENGTH } from './formLimits.ts'
import type { Known, MetaName, Report } from './metaTypes.ts'
import { placeholderError } from './placeholders.ts'
import { DEEPEST, fieldsByName, type Place, placesOf, type Reach, reachFrom, topField } from './places.ts'
import { publicFieldError } from './publicFields.ts'

/** True if a meta is within the limits of groups and fields; reports each limit that it exceeds. */
export function checkSize(groups: Group[], report: Report): boolean {
  const fields = groups.reduce((sum, group) => sum + countFields(group), 0)
  for (const [what, count] of [
    ['groups', groups.length],
    ['fields', fields],
  ] as const)
    if (count > FORM_LIMITS[what])
      report([], `A form may have ${FORM_LIMITS[what]} ${what}; remove ${count - FORM_LIMITS[what]} of them`)
  return groups.length <= FORM_LIMITS.groups && fields <= FORM_LIMITS.fields
}

/** Names, labels, types, choices and limits of every group and field of one meta. */
export function checkFields(
  meta: MetaName,
  groups: Group[],
  known: Known,
  outside: Map<string, Field>,
  report: Report,
): void {
  const places = placesOf(groups)
  checkGroups(groups, report)
  const all = new Map([...fieldsByName(groups), ...outside])
  const todayDependent = todayDependentNames(groups)
  const followers = followersOfLast(groups)
  const seen = new Set<string>()
  for (const place of places) {
    const { field, repeats, path } = place
    const reportAt = (below: (string | number)[], message: string) =>
      report([...path, ...below], message, topField(place).name)
    checkName(meta, place, seen, reportAt)
    checkLabel(field.label, 'field', reportAt)
    checkRepeat(place, reportAt)
    const reach = reachFrom(all, repeats)
    checkRows(field, reach, reportAt)
    checkTexts(field, reach, reportAt)
    checkChoices(field, known, reach, reportAt)
    const notPublic = publicFieldError(meta, field, repeats.length > 0, known)
    if (notPublic) reportAt(['attrs', 'referral'], notPublic)
    if (repeats.length === 0 && followers.has(field.name)) checkFollower(field, reportAt)
    const around = { reach, repeats, ...todayDependence(todayDependent, repeats) }
    checkCalculation(field, around, reportAt)
    checkDefault(field, known, around, reportAt)
    checkFillable(field, reportAt)
    checkLimits(field, repeats.length > 0 ? reachFrom(NO_FIELDS, repeats.slice(-1)) : all, reportAt)
  }
}

const NO_FIELDS: Reach = new Map()
const NO_NAMES = new Set<string>()

/** Checks a field that depends on the last record, which not everybody who sees this record may see. */
function checkFollower({ label, attrs = {} }: Field, report: Report) {
  const why = `'${label}' follows from the last record, which not everybody sees, so`
  if (attrs.report) report(['attrs', 'report'], `${why} cases cannot be searched by it; remove that`)
  if (attrs.referral)
    report(['attrs', 'referral'], `${why} the public referral form cannot ask it; remove that`)
}

/** The names whose value depends on today's date: those of a field's own row or form, and those outside of it. */
function todayDependence(
  ofForm: Set<string>,
  repeats: Field[],
): Pick<Around, 'todayDependent' | 'todayDependentOutside'> {
  return repeats.reduce(
    ({ todayDependent, todayDependentOutside }, { fields = [] }) => {
      const own = new Set(fields.map(({ name }) => name))
      const outside = [...todayDependentOutside, ...todayDependent].filter((name) => !own.has(name))
      return { todayDependent: todayDependentColumns(fields), todayDependentOutside: new Set(outside) }
    },
    { todayDependent: ofForm, todayDependentOutside: NO_NAMES },
  )
}

function checkGroups(groups: Group[], report: Report) {
  checkSubgroups(groups, report)
  const seen = new Set<string>()
  for (const [g, group] of groups.entries()) {
    if (!isFieldName(group.name)) report([g, 'name'], `'${group.name}' cannot be the name of a group; ${HOW}`)
    else if (seen.has(group.name)) report([g, 'name'], `Two groups have the name '${group.name}'; remove one`)
    seen.add(group.name)
    const reportAt: Report = (below, message, field) => report([g, ...below], message, field)
    checkLabel(group.label, 'group', reportAt)
    checkMatrix(group, reportAt)
  }
}

const HOW = 'use small letters, digits and _, beginning with a letter'

function checkName(meta: MetaName, { field, repeats }: Place, seen: Set<string>, report: Report) {
  const { name, label, type } = field
  const isColumn = repeats.length > 0
  const key = isColumn ? [...repeats, field].map((one) => one.name).join('.') : name
  if (!isFieldName(name) || (isColumn && name === ROW_KEY)) {
    report(['name'], `'${name}' cannot be the name of a field; ${HOW}, and no word that conditions use`)
  } else if (seen.has(key)) report(['name'], `Two fields have the name '${name}'; remove '${label}'`)
  seen.add(key)
  const must = !isColumn && Object.hasOwn(RESERVED[meta], name) ? RESERVED[meta][name] : undefined
  if (must && type !== must) {
    report(
      ['type'],
      `Lists and reports read '${name}', so it must be a yes/no question; name this field otherwise`,
    )
  }
}

function checkLabel(label: string, what: string, report: Report) {
  if (label.trim() === '') report(['label'], `Give this ${what} a label`)
  else if (label.length > MAX_LABEL_LENGTH)
    report(['label'], `Shorten the label of this ${what} to ${MAX_LABEL_LENGTH} characters`)
}

/** Checks the placeholders in the texts of a field, and the texts and attributes of a note. */
function checkTexts(field: Field, reach: Reach, report: Report) {
  const { label, attrs = {} } = field
  for (const { path, text } of textsOf(field)) {
    // The message of a check may name its own field, because it is shown only if that is answered.
    const own = path.includes('checks') ? undefined : field
    for (const name of placeholdersIn(text)) {
      const error = placeholderError('field', name, reach, own)
      if (error) report(path, error)
    }
  }
  if (attrs.report && placeholdersIn(label).length > 0)
    report(['label'], `Cases can be searched by '${label}', so no answer can stand in its label`)
  if (isQuestion(field)) return
  for (const { alt, file } of picturesIn(attrs.text)) {
    const path = ['attrs', 'text']
    if (file === undefined)
      report(path, `'${label}' shows a picture that was not uploaded here; upload it or remove it`)
    else if (alt === '')
      report(path, `Say in words what the picture of '${label}' shows: ![words](/api/files/${file})`)
  }
  for (const key of ['required', 'required_when', 'report', 'sensitive', 'calc'] as const)
    if (attrs[key]) report(['attrs', key], `'${label}' is a note, which nobody answers; remove that`)
}

function checkRepeat({ field, repeats }: Place, report: Report) {
  const { label, fields = [] } = field
  if (!holdsRows(field)) {
    if (fields.length > 0) report(['fields'], `Only a repeat has columns; remove those of '${label}'`)
  } else if (repeats.length === DEEPEST) {
    const around = repeats.at(-1)!.label
    report(
      ['type'],
      `'${around}' stands in the rows of a repeat, so its own rows can hold none; move '${label}'`,
    )
  } else if (fields.length === 0) {
    report(['fields'], `Add at least one column to '${label}'`)
  } else if (fields.length > FORM_LIMITS.columns) {
    report(
      ['fields'],
      `'${label}' may have ${FORM_LIMITS.columns} columns; remove ${fields.length - FORM_LIMITS.columns}`,
    )
  }
  if (holdsRows(field) && repeats.length === 1) checkMostRows(field, repeats[0], report)
}

/** Checks the most rows of a nested repeat in all rows of its parent; each row is validated and rendered on its own. */
function checkMostRows({ label, attrs = {} }: Field, around: Field, report: Report) {
  const most = mostInnerRows(around)
  if ((attrs.max ?? MAX_ROWS) <= most) return
  const rows = `${mostRows(around)} rows of '${around.label}'`
  const lower = `lower the maximum of '${around.label}'`
  report(
    ['attrs', 'max'],
    most < 1
      ? `In so many as ${rows} none of '${label}' can stand; ${lower}`
      : `With ${rows}, '${label}' may have ${most} in each; set that as its maximum, or ${lower}`,
  )
}
