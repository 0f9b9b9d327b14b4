import { sql } from 'kysely'
import type { Field } from '../../../contract/generated.ts'
import type { Call } from '../../core/call.ts'
import { refuse } from '../../core/problems.ts'
import { letterOf } from '../../records/files/sheetColumns.ts'
import type { SheetCell } from '../../records/files/writtenCell.ts'
import { caseTypeOf } from '../cases/newRecord.ts'
import { datesOf } from './examineRows.ts'
import { isComplete, type Mapping } from './mapping.ts'
import {
  type Answers,
  askedQuestions,
  fieldOfQuestion,
  isAnswered,
  type Question,
  questionsOf,
} from './questions.ts'
import { displayed } from './rowBody.ts'
import { LEAVE_OUT, type Target, targetsOf } from './targets.ts'
import type { Upload } from './upload.ts'

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

/** A form with the case type, what is unclear, and the target of each column; the case type determines the targets. */
export async function columnsForm(call: Call, upload: Upload) {
  const { id, name, headings, mapping, case_type, answers } = upload
  const targets = await targetsFor(call, upload)
  const dates = datesOf(call, upload)
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
    const examples = rows.map(({ cells }) => displayed(cells[i] ?? null, target?.field, dates))
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
  const questions = known ? questionsOf(upload, targets) : []
  const fields = questions.map((question) => fieldOfQuestion(question, nameOf))
  const isOpen = ({ name }: Question) => answers[name] === undefined
  const open = new Set(
    askedQuestions(questions, mapping)
      .filter(isOpen)
      .map(({ name }) => name),
  )
  return {
    id,
    name,
    next: known && undecided.length === 0 && open.size === 0 ? `/dashboard/case-uploads/${id}/summary` : null,
    fields: [
      ...(known && undecided.length > 0 ? [unknownColumns(undecided)] : []),
      ...fields.filter(({ name }) => open.has(name)),
      caseType,
      // A question about a column follows it, because it depends on what the column is.
      ...(known
        ? [...headings.keys()]
            .sort((a, b) => Number(isUndecided(0, b)) - Number(isUndecided(0, a)) || a - b)
            .flatMap((i) => [
              ofColumns[i],
              ...fields.filter(({ name }, q) => questions[q].column?.index === i && !open.has(name)),
            ])
        : []),
      ...fields.filter(({ name }, q) => !questions[q].column && !open.has(name)),
    ],
    columns: {
      [CASE_TYPE]: case_type,
      ...Object.fromEntries(headings.map((_, i) => [nameOf(i), mapping[i] ?? null])),
      ...Object.fromEntries(questions.map(({ name }) => [name, answers[name] ?? null])),
    },
  }
}

/** Validates a form of columns: another case type, or the new mapping and answers. */
export async function readColumns(
  call: Call,
  upload: Upload,
  sent: Record<string, unknown>,
): Promise<{ case_type?: number; mapping: Mapping; answers: Answers; complete: boolean }> {
  const { headings } = upload
  const { case_type } = sent
  if (case_type !== undefined && case_type !== upload.case_type) {
    const type = await caseTypeOf(call, { case_type })
    return { case_type: type.id, mapping: {}, answers: upload.answers, complete: false }
  }
  const targets = await targetsFor(call, upload)
  const mapping = { ...upload.mapping }
  const answers = { ...upload.answers }
  const questions = new Map(questionsOf(upload, targets).map((one) => [one.name, one]))
  const errors: Record<string, string[]> = {}
  for (const [name, path] of Object.entries(sent)) {
    if (name === CASE_TYPE) continue
    const column = name.match(/^c(\d{1,3})$/)?.[1]
    const at = `columns.${name.slice(0, 100)}`
    const question = questions.get(name)
    if (question) {
      if (path === null) delete answers[name]
      else if (Object.hasOwn(question.options, String(path))) answers[name] = String(path)
      else errors[at] = ['Choose one of the answers']
    } else if (column === undefined || headings[Number(column)] === undefined)
      errors[at] = ['There is no such column']
    else if (path === null) delete mapping[column]
    else if (path === LEAVE_OUT || targets.some((one) => one.path === path)) mapping[column] = String(path)
    else errors[at] = ['Choose what this column is, or leave it out']
  }
  refuse({ ...errors, ...duplicateErrors(mapping, targets) })
  const complete = isComplete(mapping, headings) && isAnswered([...questions.values()], mapping, answers)
  return { mapping, answers, complete }
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
