import { movesBySource, movesOf } from '../answerMigration/answerMoves.ts'
import { isConvertible } from '../answerMigration/convertAnswer.ts'
import { fitsField } from '../answerMigration/fitsField.ts'
import { hasSameAmounts } from '../decimal.ts'
import { FIELD_TYPES, takesSeveralChoices } from '../fieldTypes.ts'
import { followersOfLast } from '../followers.ts'
import type { Field, Group, TakenValue } from '../generated.ts'
import { isReserved } from './fieldUsage.ts'
import type { MetaName, Report } from './metaTypes.ts'
import { fieldsByName, placesOf, topField } from './places.ts'

/** Reports fields that take over answers which they cannot have; `before` is the published form. */
export function checkTakes(
  meta: MetaName,
  after: Group[],
  before: Group[] | undefined,
  report: Report,
): void {
  const published = fieldsByName(before ?? [])
  const now = fieldsByName(after)
  const sharing = movesBySource(movesOf(before ?? [], after))
  for (const place of placesOf(after)) {
    const { field, repeats, path } = place
    const { takes } = field.attrs ?? {}
    if (!takes) continue
    const { name: top } = topField(place)
    if (repeats.length > 0) {
      const wrong = whyNotTakenByColumn(field, repeats, published)
      if (wrong) report([...path, 'attrs', 'takes', 'from'], wrong, top)
      else
        checkValues(field, takes.values ?? [], (at, m) =>
          report([...path, 'attrs', 'takes', 'values', ...at], m, top),
        )
      continue
    }
    if (followersOfLast(after).has(field.name) || followersOfLast(before ?? []).has(takes.from)) {
      // The stored outside values have the names of the fields that depend on them.
      report(
        [...path, 'attrs', 'takes'],
        `'${field.label}' follows from the last record, so its answers stay where they are`,
        field.name,
      )
      continue
    }
    const at = [...path, 'attrs', 'takes']
    const why = whyNotTaken(meta, field, takes.from, {
      published,
      now,
      sharing: sharing.get(takes.from)?.length ?? 0,
    })
    if (why) report([...at, 'from'], why, field.name)
    else
      checkValues(field, takes.values ?? [], (below, message) =>
        report([...at, 'values', ...below], message, field.name),
      )
  }
}

interface Forms {
  published: Map<string, Field>
  now: Map<string, Field>
  /** Number of fields that take the same answers. */
  sharing: number
}

function whyNotTaken(
  meta: MetaName,
  is: Field,
  from: string,
  { published, now, sharing }: Forms,
): string | undefined {
  const was = published.get(from)
  const { name, label, attrs } = is
  if (!was)
    return `'${label}' takes the answers of '${from}', which the published form does not have; choose another field`
  if (isReserved(meta, from) || isReserved(meta, name))
    return `Lists and reports read '${was.label}', so its answers stay where they are`
  if (attrs?.calc) return `'${label}' is calculated, so it takes no answers`
  if (!isConvertible(was.type, is.type))
    return `Answers of type ${titleOf(was)} cannot become ${titleOf(is)}; add a new field`
  if (name === from)
    return was.type === is.type
      ? undefined
      : `'${label}' has another type, so it needs another stored name than '${from}'`
  if (published.has(name))
    return `'${label}' takes answers over, so its stored name cannot be that of another published field`
  if (now.has(from) && !now.get(from)!.attrs?.takes)
    return `'${was.label}' is still asked, so its answers stay there; remove it or choose another field`
  if (sharing > 1 && !attrs?.takes?.values?.length)
    return `Several fields take the answers of '${was.label}': say in a table which values '${label}' takes`
  return undefined
}

/** Why a column cannot take over the answers of another one: it stays in its rows, and keeps its type and list. */
function whyNotTakenByColumn(
  { name, label, type, attrs = {} }: Field,
  repeats: Field[],
  published: Map<string, Field>,
): string | undefined {
  const { from } = attrs.takes!
  let before: Field[] = [...published.values()]
  for (const repeat of repeats)
    before = before.find((one) => one.name === (repeat.attrs?.takes?.from ?? repeat.name))?.fields ?? []
  const was = before.find((one) => one.name === from)
  const now = repeats.at(-1)!.fields ?? []
  if (!was)
    return `'${label}' takes the answers of '${from}', which is not a column of the published rows; choose another one`
  if (attrs.calc) return `'${label}' is calculated, so it takes no answers`
  if (
    was.type !== type ||
    was.attrs?.lookup !== attrs.lookup ||
    !hasSameAmounts(was, { name, label, type, attrs })
  )
    return `'${label}' is a column, so it takes only answers of its own type; add a new column`
  if (now.filter((one) => one.attrs?.takes?.from === from).length > 1)
    return `Several columns take the answers of '${was.label}', and only fields can share answers`
  if (name === from) return undefined
  if (before.some((one) => one.name === name))
    return `'${label}' takes answers over, so its stored name cannot be that of another published column`
  return now.some((one) => one.name === from && !one.attrs?.takes)
    ? `'${was.label}' is still asked, so its answers stay there; remove it or choose another column`
    : undefined
}

function titleOf({ type }: Field): string {
  return `'${FIELD_TYPES[type].title}'`
}

function checkValues(field: Field, values: TakenValue[], report: Report): void {
  for (const [i, { was, min, max, is }] of values.entries()) {
    if ((was === undefined) === (min === undefined && max === undefined))
      report([i], `Say which value of '${field.label}' becomes another one`)
    if (is === null) continue
    const value = takesSeveralChoices(field) && !Array.isArray(is) ? [is] : is
    if (!fitsField(field, value, false))
      report([i, 'is'], `'${String(is)}' is not an answer to '${field.label}'`)
  }
}
