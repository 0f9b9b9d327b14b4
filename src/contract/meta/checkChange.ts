import { movesBySource, movesOf } from '../answerMigration/answerMoves.ts'
import { decimalFormatOf, hasSameAmounts } from '../decimal.ts'
import { holdsRows } from '../fieldTypes.ts'
import type { Field, Group } from '../generated.ts'
import { memoised } from '../memoised.ts'
import { quoted } from '../quoted.ts'
import { choiceCount } from './checkMeta.ts'
import { answeredIn, isReserved, whyNotRemovable, whyTypeFixed } from './fieldUsage.ts'
import type { MetaName, Report, UsageWithChoices } from './metaTypes.ts'
import { fieldsByName, type Place, placesOf } from './places.ts'

/**
 * Reports changes that would break stored answers: an answered field must keep its name, its type and every chosen
 * choice, unless another field takes its answers over.
 */
export function checkChange(
  meta: MetaName,
  after: Group[],
  before: Group[],
  used: UsageWithChoices,
  report: Report,
): void {
  const usage = used[meta]
  const chosen: Chosen = (path, value) => choiceCount(used, meta, path, value)
  const old = fieldsByName(before)
  const now = topPlacesByName(after)
  const taken = movesBySource(movesOf(before, after))
  for (const group of before) {
    const g = after.findIndex((one) => one.name === group.name)
    for (const [f, field] of group.fields.entries()) {
      const count = Object.hasOwn(usage, field.name) ? usage[field.name] : 0
      if (count === 0 && !isReserved(meta, field.name)) continue
      const moves = taken.get(field.name) ?? []
      const isRenamed = moves.some(({ name }) => name !== field.name)
      // Of a renamed field the answers are converted, but rows stay as they are.
      if (isRenamed && !holdsRows(field)) continue
      const { name } = (isRenamed && moves[0]) || field
      const place = now.get(name)
      if (place) {
        const isMapped = (value: string | number) =>
          moves.some(({ values }) => values?.some(({ was }) => was === value))
        const about = {
          meta,
          count,
          chosen: (at: string, value: string | number) => (isMapped(value) ? 0 : chosen(at, value)),
          at: '',
        }
        compare(about, field, place.field, (at, m) => report([...place.path, ...at], m, name))
        continue
      }
      const there = after[g]?.fields[f]
      const renamed = there && !old.has(there.name)
      if (renamed) report([g, 'fields', f, 'name'], whyNamed(meta, field, count), field.name)
      else if (after[g]) report([g], whyNotRemovable(meta, field, count)!, field.name)
      // A removed group has no path in the form, so the name of the field identifies the problem.
      else report([], whyGone(meta, group, field, count), field.name)
    }
  }
}

type Chosen = (path: string, value: string | number) => number
interface About {
  meta: MetaName
  /** Number of records that answer the field. */
  count: number
  chosen: Chosen
  /** Prefix of the path of a column: 'family.'. */
  at: string
}

function compare(about: About, was: Field, is: Field, report: Report) {
  const { meta, count } = about
  if (is.type !== was.type) return report(['type'], whyTypeFixed(meta, was, count)!)
  if (count === 0) return
  // Only an unanswered field may become a calculated one.
  if (is.attrs?.calc && !was.attrs?.calc)
    report(
      ['attrs', 'calc'],
      `'${was.label}' is ${answeredIn(meta, count)}, so it cannot be calculated; add a new field`,
    )
  const isMoney = decimalFormatOf(is)?.currency !== undefined
  if (!hasSameAmounts(was, is))
    report(
      ['attrs', isMoney ? 'currency' : 'places'],
      `'${was.label}' is ${answeredIn(meta, count)}, so its ${isMoney ? 'currency' : 'decimal places'} cannot change; switch it off and add a new field`,
    )
  compareChoices(about, was, is, report)
  for (const [c, column] of (was.fields ?? []).entries()) {
    const at = (is.fields ?? []).findIndex(({ name, attrs }) => (attrs?.takes?.from ?? name) === column.name)
    if (at < 0) report(['fields', ...(is.fields?.[c] ? [c] : [])], whyNotRemovable(meta, column, count)!)
    else
      compare(
        { ...about, at: `${about.at}${was.name}.`, chosen: chosenOf(about.chosen, is.fields![at]) },
        column,
        is.fields![at],
        (path, message) => report(['fields', at, ...path], message),
      )
  }
}

/** The counts of choices, with 0 for the choices that the table of a column turns into others. */
function chosenOf(chosen: Chosen, { attrs }: Field): Chosen {
  const values = attrs?.takes?.values ?? []
  return (path, value) => (values.some(({ was }) => was === value) ? 0 : chosen(path, value))
}

function compareChoices(
  { meta, count, chosen, at }: About,
  { name, label, attrs: was = {} }: Field,
  { attrs: is = {} }: Field,
  report: Report,
) {
  const because = `'${label}' is ${answeredIn(meta, count)}`
  if (is.lookup !== was.lookup) {
    return report(
      ['attrs', 'lookup'],
      `${because}, so its list cannot change; switch it off and add a new field`,
    )
  }
  const left = new Set((is.options ?? []).map((o) => o.value))
  for (const option of was.options ?? []) {
    const times = chosen(at + name, option.value)
    if (!left.has(option.value) && times > 0) {
      report(
        ['attrs', 'options'],
        `'${option.label}' of '${label}' is ${answeredIn(meta, times)}, so it must stay; retire it instead`,
      )
    }
  }
}

function whyGone(meta: MetaName, group: Group, { name, label }: Field, count: number): string {
  const why = count > 0 ? `is ${answeredIn(meta, count)}` : 'is read by lists and reports'
  return `${quoted(group.label, group.name)} is removed with ${quoted(label, name)}, which ${why}: put the group back and switch it off instead`
}

function whyNamed(meta: MetaName, { name, label }: Field, count: number): string {
  const because = count > 0 ? `'${label}' is ${answeredIn(meta, count)}` : `Lists and reports read '${label}'`
  return `${because}, so its name must stay '${name}'; change its label instead`
}

/** The places of the fields by name, without the columns of repeats. */
const topPlacesByName = memoised((groups: Group[]): Map<string, Place> => {
  const places = placesOf(groups).filter(({ repeats }) => repeats.length === 0)
  return new Map(places.map((place) => [place.field.name, place]))
})
