import { sql } from 'kysely'
import type { Field, Group } from '../../../contract/generated.ts'
import { literalsOf, testsOf } from '../../../contract/meta/conditionTests.ts'
import { fieldsByName, placesOf, reachInRows, withinReach } from '../../../contract/meta/places.ts'
import { quotedAll } from '../../../contract/quoted.ts'
import { rowConditionsOf, type When } from '../../../contract/when.ts'
import type { Db } from '../../core/db.ts'
import type { Use } from './usage.ts'

/** Published forms that use an item as a default, in a condition or to filter a list, with their case types. */
export async function formUses(db: Db, kind: string, value: number): Promise<Use[]> {
  const { rows } = await sql<{
    label: string
    case_meta: Group[]
    issue_meta: Group[]
  }>`select label, case_meta, issue_meta from case_types where version > 0 order by label`.execute(db)
  const forms = rows.flatMap(({ label, case_meta, issue_meta }) =>
    [case_meta, issue_meta].filter((form) => usesItem(form, kind, value)).map(() => label),
  )
  if (forms.length === 0) return []
  const does = forms.length === 1 ? '1 form names it' : `${forms.length} forms name it`
  const label = `Case type: ${does}: ${quotedAll([...new Set(forms)])}`
  return [{ id: 'case_types.forms', label, table: 'case_types', field: 'forms', count: forms.length }]
}

/** True if a condition compares one of the fields in `reach` with an item. */
export function isTestedIn(
  when: When | undefined,
  reach: Map<string, Field>,
  kind: string,
  value: number,
): boolean {
  return [...testsOf(when)].some(
    ([path, test]) =>
      (isOfKind(reach.get(path), kind) && literalsOf(test).includes(value)) ||
      rowConditionsOf(test).some((one) => isTestedIn(one, reachInRows(reach, path), kind, value)),
  )
}

function isOfKind(field: Field | undefined, kind: string): boolean {
  return field?.attrs?.lookup === kind && !field.attrs.options
}

function usesItem(form: Group[], kind: string, value: number): boolean {
  const all = fieldsByName(form)
  if (form.some((group) => isTestedIn(group.attrs?.when, all, kind, value))) return true
  return placesOf(form).some(({ field, repeats }) => {
    const { default: preset, when, required_when, lookup_params = {} } = field.attrs ?? {}
    const { checks = [], choose = [] } = field.attrs ?? {}
    if (lookup_params[kind] === value) return true
    const isDefault = preset !== undefined && ([preset].flat() as unknown[]).includes(value)
    const reach = withinReach(all, repeats)
    const conditions = [when, required_when, ...[...checks, ...choose].map((one) => one.when)]
    const counted = field.attrs?.rows_when && reachInRows(reach, String(field.attrs.of?.[0]))
    return (
      (isDefault && isOfKind(field, kind)) ||
      conditions.some((one) => isTestedIn(one, reach, kind, value)) ||
      (counted !== undefined && isTestedIn(field.attrs?.rows_when, counted, kind, value))
    )
  })
}
