import type { Automation, Field } from '../generated.ts'
import type { MetaName, Metas } from './metaTypes.ts'
import { fieldsByName } from './places.ts'

/** The form whose answers the automations and deadlines of a record look at by their bare names. */
export const META_OF: Record<Automation['of'], MetaName> = { case: 'case_meta', issue: 'issue_meta' }

/** A field that stands for a column of a record; its name is a path. */
const column = (name: string, label: string, type: Field['type'], lookup?: string): Field => ({
  name,
  label,
  type,
  ...(lookup && { attrs: { lookup } }),
})

/** Columns that automations and deadlines are offered besides answers, by the record that they are of. */
const COLUMNS: Record<Automation['of'], Field[]> = {
  case: [
    column('record.contract', 'Contract', 'select', 'contracts'),
    column('record.council_area', 'Council area', 'select', 'council_area'),
    column('record.patient_dod', 'Date of death of the person it is about', 'date'),
  ],
  issue: [
    column('record.issue_type', 'Issue type', 'select', 'issue_types'),
    column('record.start_date', 'Start date', 'date'),
    column('record.advocate', 'Advocate', 'select', 'staff'),
  ],
}
export const CASE_COLUMNS = COLUMNS.case.map((one) => ofCase(one, one.name.slice('record.'.length)))

/**
 * The fields that an automation or a deadline of a record can look at, by path: the answers of its form, columns of the
 * record, and for an issue the answers and columns of its case as `$case.x`.
 */
export function recordFields(of: Automation['of'], metas: Metas): Map<string, Field> {
  const answersOfCase =
    of === 'issue' ? [...fieldsByName(metas.case_meta).values()].map((one) => ofCase(one, one.name)) : []
  const others = [...answersOfCase, ...COLUMNS[of], ...(of === 'issue' ? CASE_COLUMNS : [])]
  return new Map([
    ...fieldsByName(metas[META_OF[of]]),
    ...others.map((field) => [field.name, field] as const),
  ])
}

export function ofCase(field: Field, name: string): Field {
  return { ...field, name: `$case.${name}`, label: `${field.label} (of the case)` }
}
