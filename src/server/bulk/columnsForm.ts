import { sql } from 'kysely'
import type { Field } from '../../contract/generated.ts'
import type { Call } from '../call.ts'
import type { SheetCell } from '../files/readWorkbook.ts'
import { letterOf } from '../lookups/sheetColumns.ts'
import { caseTypeOf } from '../newCase/newRecord.ts'
import { refuse } from '../problems.ts'
import { isComplete, type Mapping } from './mapping.ts'
import { displayed } from './rowBody.ts'
import { LEAVE_OUT, type Target, targetsOf } from './targets.ts'
import type { Upload } from './upload.ts'

/** Number of example values of a column. */
const EXAMPLES = 3
const CASE_TYPE = 'case_type'
const nameOf = (column: number | string) => `c${column}`

/** A note that names the columns that nobody has decided on. */
function unknownColumns(headings: string[]): Field {
  const [were, which] =
    headings.length === 1 ? ['1 column was', 'it'] : [`${headings.length} columns were`, 'each of them']
  return {
    name: 'unknown_columns',
    label: `${were} not recognised: ${headings.map((heading) => heading || 'no heading').join(', ')}`,
    type: 'note',
    attrs: { tone: 'warning', text: `Choose what ${which} is, or leave it out.` },
  }
}

/** A form with the case type and the target of each column; the case type determines the targets. */
export async function columnsForm(call: Call, upload: Upload) {
  const { id, name, headings, mapping, case_type } = upload
  const targets = await targetsFor(call, upload)
  const { rows } = await sql<{
    cells: SheetCell[]
  }>`select cells from bulk_rows where upload = ${id} order by row limit ${EXAMPLES}`.execute(call.db)
  const options = [
    { value: LEAVE_OUT, label: 'Leave out' },
    ...targets.map(({ path, heading }) => ({ value: path, label: heading })),
  ]
  const caseType: Field = {
    name: CASE_TYPE,
    label: 'Case type',
    type: 'select',
    attrs: { required: true, lookup: 'case_type', help: 'It says what the columns can be' },
  }
  const ofColumns = headings.map((heading, i): Field => {
    const target = targets.find(({ path }) => path === mapping[i])
    const examples = rows.map(({ cells }) => displayed(cells[i] ?? null, target?.field, upload.date1904))
    const shortened = examples.filter((one) => one !== null).map((one) => one.slice(0, 40))
    return {
      name: nameOf(i),
      label: `Column ${letterOf(i)}: ${heading || 'no heading'}`,
      type: 'select',
      attrs: {
        required: true,
        options,
        ...(shortened.length > 0 && { help: `For example ${shortened.join(' · ')}` }),
      },
    }
  })
  const isUndecided = (_: unknown, i: number) => mapping[i] === undefined
  const undecided = headings.filter(isUndecided)
  const known = targets.length > 0
  return {
    id,
    name,
    next: known && undecided.length === 0 ? `/dashboard/case-uploads/${id}/summary` : null,
    fields: [
      ...(known && undecided.length > 0 ? [unknownColumns(undecided)] : []),
      caseType,
      ...(known
        ? [...ofColumns.filter(isUndecided), ...ofColumns.filter((field, i) => !isUndecided(field, i))]
        : []),
    ],
    columns: {
      [CASE_TYPE]: case_type,
      ...Object.fromEntries(headings.map((_, i) => [nameOf(i), mapping[i] ?? null])),
    },
  }
}

/** Validates a form of columns: another case type, or the new mapping. */
export async function readColumns(
  call: Call,
  upload: Upload,
  sent: Record<string, unknown>,
): Promise<{ case_type?: number; mapping: Mapping; complete: boolean }> {
  const { headings } = upload
  const { case_type } = sent
  if (case_type !== undefined && case_type !== upload.case_type) {
    const type = await caseTypeOf(call, { case_type })
    return { case_type: type.id, mapping: {}, complete: false }
  }
  const targets = await targetsFor(call, upload)
  const mapping = { ...upload.mapping }
  const errors: Record<string, string[]> = {}
  for (const [name, path] of Object.entries(sent)) {
    if (name === CASE_TYPE) continue
    const column = name.match(/^c(\d{1,3})$/)?.[1]
    const at = `columns.${name.slice(0, 100)}`
    if (column === undefined || headings[Number(column)] === undefined)
      errors[at] = ['There is no such column']
    else if (path === null) delete mapping[column]
    else if (path === LEAVE_OUT || targets.some((one) => one.path === path)) mapping[column] = String(path)
    else errors[at] = ['Choose what this column is, or leave it out']
  }
  refuse({ ...errors, ...duplicateErrors(mapping, targets) })
  return { mapping, complete: isComplete(mapping, headings) }
}

/** Errors of columns with the same target as an earlier one. */
function duplicateErrors(mapping: Mapping, targets: Target[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  const first = new Map<string, string>()
  for (const [column, path] of Object.entries(mapping)) {
    if (path === LEAVE_OUT) continue
    const heading = targets.find((one) => one.path === path)?.heading ?? path
    if (first.has(path))
      errors[`columns.${nameOf(column)}`] = [
        `Column ${letterOf(Number(first.get(path)))} is ${heading} already`,
      ]
    else first.set(path, column)
  }
  return errors
}

async function targetsFor(call: Call, { case_type }: Upload): Promise<Target[]> {
  if (case_type === null) return []
  return targetsOf(call.contract, await caseTypeOf(call, { case_type }), call.me)
}
