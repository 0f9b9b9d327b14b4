import { isFieldName, ROW_KEY } from '../fieldName.ts'
import { namesIn, TEXTS } from '../filledTexts.ts'
import type { Field, FieldType, Group } from '../generated.ts'
import { columnsOfToday, namesOfToday } from '../visible.ts'
import { checkCalculation } from './checkCalculation.ts'
import { checkChoices } from './checkChoices.ts'
import { checkDefault } from './checkDefault.ts'
import { checkLimits } from './checkLimits.ts'
import { checkMatrix } from './checkMatrix.ts'
import { RESERVED } from './fieldUsage.ts'
import type { Known, MetaName, Report } from './metaTypes.ts'
import { fieldsByName, type Place, placesOf, withinReach } from './places.ts'
import { publicFieldError } from './publicFields.ts'

const MOST = { groups: 100, fields: 500, columns: 50, label: 200 }

/** Whether one meta has no more groups and fields than it may; says so where it has. */
export function checkSize(groups: Group[], report: Report): boolean {
  const fields = groups.reduce(
    (sum, group) => sum + group.fields.length + group.fields.reduce((n, f) => n + (f.fields?.length ?? 0), 0),
    0,
  )
  for (const [what, count] of [
    ['groups', groups.length],
    ['fields', fields],
  ] as const)
    if (count > MOST[what])
      report([], `A form may have ${MOST[what]} ${what}; remove ${count - MOST[what]} of them`)
  return groups.length <= MOST.groups && fields <= MOST.fields
}

/** Names, labels, types, choices and limits of every group and field of one meta. */
export function checkFields(meta: MetaName, groups: Group[], known: Known, report: Report): void {
  const places = [...placesOf(groups)]
  checkGroups(groups, report)
  const all = fieldsByName(groups)
  const ofToday = namesOfToday(groups)
  const seen = new Set<string>()
  for (const place of places) {
    const { field, repeat, path } = place
    const reportAt = (below: (string | number)[], message: string) =>
      report([...path, ...below], message, repeat?.name ?? field.name)
    checkName(meta, place, seen, reportAt)
    checkLabel(field.label, 'field', reportAt)
    checkRepeat(place, reportAt)
    const reach = withinReach(all, repeat)
    checkTexts(field, reach, reportAt)
    checkChoices(field, known, reach, reportAt)
    const notPublic = publicFieldError(meta, field, repeat !== undefined, known)
    if (notPublic) reportAt(['attrs', 'referral'], notPublic)
    const around = { reach, repeat, ofToday, columnsOfToday: rowsOfToday(repeat) }
    checkCalculation(field, around, reportAt)
    checkDefault(field, known, around, reportAt)
    checkLimits(field, repeat ? withinReach(new Map(), repeat) : all, reportAt)
  }
}

function rowsOfToday(repeat: Field | undefined): Set<string> {
  return columnsOfToday(repeat?.fields ?? [])
}

function checkGroups(groups: Group[], report: Report) {
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

function checkName(meta: MetaName, { field, repeat }: Place, seen: Set<string>, report: Report) {
  const { name, label, type } = field
  const key = repeat ? `${repeat.name}.${name}` : name
  if (!isFieldName(name) || (repeat && name === ROW_KEY)) {
    report(['name'], `'${name}' cannot be the name of a field; ${HOW}, and no word that conditions use`)
  } else if (seen.has(key)) report(['name'], `Two fields have the name '${name}'; remove '${label}'`)
  seen.add(key)
  const must = !repeat && Object.hasOwn(RESERVED[meta], name) ? RESERVED[meta][name] : undefined
  if (must && type !== must) {
    report(
      ['type'],
      `Lists and reports read '${name}', so it must be a yes/no question; name this field otherwise`,
    )
  }
}

function checkLabel(label: string, what: string, report: Report) {
  if (label.trim() === '') report(['label'], `Give this ${what} a label`)
  else if (label.length > MOST.label)
    report(['label'], `Shorten the label of this ${what} to ${MOST.label} characters`)
}

const IN_NO_TEXT: FieldType[] = ['note', 'repeat', 'contact', 'file', 'signature']

/** Answers in the texts of a field, and a note, which has nothing but texts. */
function checkTexts(field: Field, reach: Map<string, Field>, report: Report) {
  const { name, label, type, attrs = {} } = field
  for (const text of TEXTS) {
    const path = text === 'label' ? ['label'] : ['attrs', text]
    for (const one of namesIn(field, text)) {
      const source = reach.get(one)
      if (!source)
        report(path, `This text names '{${one}}', but there is no such field; choose another or remove it`)
      else if (one === name) report(path, `'${label}' cannot stand in its own text; remove '{${one}}'`)
      else if (IN_NO_TEXT.includes(source.type) || source.attrs?.lookup || source.attrs?.sensitive)
        report(path, `The answer of '${source.label}' cannot stand in a text; remove '{${one}}'`)
    }
  }
  if (attrs.report && namesIn(field, 'label').length > 0)
    report(['label'], `Lists and reports show '${label}', so no answer can stand in its label`)
  if (type !== 'note') return
  for (const key of ['required', 'required_when', 'report', 'sensitive', 'calc'] as const)
    if (attrs[key]) report(['attrs', key], `'${label}' is a note, which nobody answers; remove that`)
}

function checkRepeat({ field, repeat }: Place, report: Report) {
  const { type, label, fields = [] } = field
  if (type !== 'repeat') {
    if (fields.length > 0) report(['fields'], `Only a repeat has columns; remove those of '${label}'`)
  } else if (repeat) {
    report(['type'], `A repeat cannot stand inside a repeat; move '${label}' out of '${repeat.label}'`)
  } else if (fields.length === 0) {
    report(['fields'], `Add at least one column to '${label}'`)
  } else if (fields.length > MOST.columns) {
    report(['fields'], `'${label}' may have ${MOST.columns} columns; remove ${fields.length - MOST.columns}`)
  }
}
