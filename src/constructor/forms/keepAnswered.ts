import { sourcesOf } from '../../contract/computedDefault.ts'
import { hasSameAmounts } from '../../contract/decimal.ts'
import { type Argument, TODAY } from '../../contract/formula.ts'
import type { Field, FieldAttrs, Group } from '../../contract/generated.ts'
import { choiceCount } from '../../contract/meta/checkMeta.ts'
import { isReserved } from '../../contract/meta/fieldUsage.ts'
import type { MetaName, Metas, UsageWithChoices } from '../../contract/meta/metaTypes.ts'
import { fieldsByName } from '../../contract/meta/places.ts'
import { isElsewhere, pathsOf, type When } from '../../contract/when.ts'

/** Number of items of the published forms that were added to an old version because records answer them. */
export interface Kept {
  fields: number
  choices: number
}

/**
 * Makes an old version of the forms publishable after the present one: fields answered since are added, switched off,
 * and choices used since are added, retired. An answered field keeps its present type and list.
 */
export function keepAnswered<Old extends Metas>(
  old: Old,
  now: Metas,
  usage: UsageWithChoices,
): { metas: Old; kept: Kept } {
  const kept = { fields: 0, choices: 0 }
  const forms = (['case_meta', 'issue_meta'] as const).map((meta) => [
    meta,
    formOf(meta, old[meta], now[meta], usage, kept),
  ])
  return { metas: { ...old, ...Object.fromEntries(forms) }, kept }
}

function formOf(meta: MetaName, old: Group[], now: Group[], usage: UsageWithChoices, kept: Kept): Group[] {
  const published = fieldsByName(now)
  const isAnswered = (name: string) => Object.hasOwn(usage[meta], name) && usage[meta][name] > 0
  const countOf = (path: string, value: string | number) => choiceCount(usage, meta, path, value)
  const form = old.map((group) => ({
    ...group,
    fields: group.fields.map((field) => {
      const is = published.get(field.name)
      const isKept = is && (isAnswered(field.name) || isReserved(meta, field.name))
      return isKept ? asAnswered(field, is, countOf, kept) : field
    }),
  }))
  const there = fieldsByName(old)
  for (const group of now) {
    const unavailable = group.fields.filter(
      ({ name }) => !there.has(name) && (isAnswered(name) || isReserved(meta, name)),
    )
    if (unavailable.length === 0) continue
    kept.fields += unavailable.length
    const own = form.find(({ name }) => name === group.name)
    if (own) own.fields = [...own.fields, ...unavailable.map(switchedOff)]
    else form.push({ ...group, attrs: { is_on: false }, fields: unavailable.map(switchedOff) })
  }
  return withoutDanglingReferences(form)
}

type CountOf = (path: string, value: string | number) => number

/** A field of an old version, made compatible with the answers to the present one. */
function asAnswered(old: Field, now: Field, countOf: CountOf, kept: Kept, at = ''): Field {
  const path = at + old.name
  if (old.type !== now.type || old.attrs?.lookup !== now.attrs?.lookup || !hasSameAmounts(old, now)) {
    kept.fields++
    return now
  }
  const offered = new Set((old.attrs?.options ?? []).map((o) => o.value))
  const used = (now.attrs?.options ?? []).filter((o) => !offered.has(o.value) && countOf(path, o.value) > 0)
  kept.choices += used.length
  const options = [...(old.attrs?.options ?? []), ...used.map((o) => ({ ...o, active: false }))]
  const columns = new Map((now.fields ?? []).map((column) => [column.name, column]))
  const own = new Set((old.fields ?? []).map(({ name }) => name))
  const unavailable = (now.fields ?? []).filter(({ name }) => !own.has(name))
  kept.fields += unavailable.length
  return {
    ...old,
    ...(used.length > 0 && { attrs: { ...old.attrs, options } }),
    ...(old.fields && {
      fields: [
        ...old.fields.map((column) => {
          const is = columns.get(column.name)
          return is ? asAnswered(column, is, countOf, kept, `${path}.`) : column
        }),
        ...unavailable.map(switchedOff),
      ],
    }),
  }
}

function switchedOff(field: Field): Field {
  return { ...field, attrs: { ...field.attrs, is_on: false } }
}

/** The form without references of switched-off fields to fields that it does not have. */
function withoutDanglingReferences(form: Group[]): Group[] {
  const names = new Set(fieldsByName(form).keys())
  const isThere = (path: string, columns: Set<string>) => {
    const [head] = path.split('.')
    return isElsewhere(path) || names.has(head) || columns.has(head)
  }
  const tidied = (field: Field, columns = new Set<string>()): Field => {
    const own = new Set([...columns, ...(field.fields ?? []).map((c) => c.name)])
    const fields = field.fields && { fields: field.fields.map((c) => tidied(c, own)) }
    if (field.attrs?.is_on !== false) return { ...field, ...fields }
    return { ...field, ...fields, attrs: attrsWithin(field.attrs, (path) => isThere(path, columns)) }
  }
  return form.map((group) => ({ ...group, fields: group.fields.map((field) => tidied(field)) }))
}

function attrsWithin(
  {
    when,
    required_when,
    rules,
    checks,
    lookup_params,
    calc,
    of,
    choose,
    rows_when,
    rows_from,
    default: preset,
    hidden,
    ...attrs
  }: FieldAttrs,
  isThere: (path: string) => boolean,
): FieldAttrs {
  const holds = (one: When | undefined): one is When => one !== undefined && pathsOf(one).every(isThere)
  const validRules = rules?.filter((rule) => !rule.includes(':') || isThere(rule.split(':')[1]))
  const usableChecks = checks?.filter((check) => holds(check.when))
  const params = Object.entries(lookup_params ?? {}).filter(
    ([, value]) => typeof value !== 'string' || !value.startsWith('$') || isThere(value.slice(1)),
  )
  const areThere = (of: Argument[]) =>
    of.every((one) => typeof one !== 'string' || one === TODAY || isThere(one))
  const isCalculated =
    (of ?? choose) !== undefined && areThere(sourcesOf({ attrs: { calc, of, choose, rows_when } }))
  const hasDefault = preset !== undefined && areThere(sourcesOf({ attrs: { default: preset } }))
  return {
    ...attrs,
    ...(rows_from && isThere(rows_from) && { rows_from }),
    ...(holds(when) && { when }),
    ...(holds(required_when) && { required_when }),
    ...(validRules && validRules.length > 0 && { rules: validRules }),
    ...(isCalculated && {
      calc,
      ...(of && { of }),
      ...(choose && { choose }),
      ...(rows_when && { rows_when }),
    }),
    ...(hasDefault && { default: preset }),
    // A field without a calculation or default would have no value if hidden.
    ...(hidden && (isCalculated || hasDefault) && { hidden }),
    ...(usableChecks && usableChecks.length > 0 && { checks: usableChecks }),
    ...(params.length > 0 && { lookup_params: Object.fromEntries(params) }),
  }
}
