import type { Field } from '../../../contract/generated.ts'
import { LEGACY_ENCODINGS, type TextReading } from '../../records/files/decodeText.ts'
import { letterOf } from '../../records/files/sheetColumns.ts'
import { COLUMN_KINDS, COLUMN_QUESTIONS, type ColumnKind, type Finding } from './columnQuestions.ts'
import type { Mapping } from './mapping.ts'
import type { Target } from './targets.ts'

/** What is unclear in a file, as it was found while it was read. */
export interface Findings {
  /** By the number of the column from 0. */
  columns: Record<string, Partial<Record<ColumnKind, Finding>>>
  /** Readings of a text that does not say its encoding. */
  encodings: TextReading[]
  /** Rows that are hidden or filtered out. */
  hidden: { count: number; row: number } | null
  before: EarlierUpload | null
}
/** An upload of the same file, or of most of its rows. */
export interface EarlierUpload {
  id: number
  name: string
  /** Who uploaded it, and when. */
  by: string
  on: string
  rows: number
}
/** Answers by the name of their question. */
export type Answers = Record<string, string>

/** A question about a file, as a field of the form of its columns. */
export interface Question {
  name: string
  label: string
  help?: string
  options: Record<string, string>
  /** The column, and the paths of the targets for which the question is asked. */
  column?: { index: number; kind: ColumnKind; paths: string[] }
}

export const LEAVE_ROWS_OUT = 'leave_out'
const rowsOf = (count: number) => (count === 1 ? '1 row' : `${count.toLocaleString('en-GB')} rows`)

/** All questions about an upload; those about columns are only asked for some targets. */
export function questionsOf(
  { findings, headings, total }: { findings: Findings | null; headings: string[]; total: number },
  targets: Target[],
): Question[] {
  if (!findings) return []
  return [...questionsOfFile(findings, total), ...questionsOfColumns(findings, headings, targets)]
}

function questionsOfFile({ encodings, hidden, before }: Findings, total: number): Question[] {
  const questions: Question[] = []
  if (before)
    questions.push({
      name: 'before',
      label:
        before.rows >= total
          ? `This file was uploaded before, by ${before.by} on ${before.on}. Check it again?`
          : `${rowsOf(before.rows)} of ${total.toLocaleString('en-GB')} were uploaded before, by ${before.by} on ${before.on}. Check them again?`,
      help: `Upload ${before.id}: ${before.name}`,
      options: {
        [LEAVE_ROWS_OUT]: 'No, leave out the rows that are there already',
        check: 'Yes, check all rows as if they were new',
      },
    })
  if (encodings.length > 0)
    questions.push({
      name: 'encoding',
      label: 'The file does not say how its letters are stored. Which of these is right?',
      help: "If none is, save the file in Excel as 'CSV UTF-8 (Comma delimited)' and upload that",
      options: Object.fromEntries(
        encodings.map(({ encoding, words }) => [
          encoding,
          `${words.join(', ') || 'No such letters'} (${LEGACY_ENCODINGS[encoding]})`,
        ]),
      ),
    })
  if (hidden)
    questions.push({
      name: 'hidden',
      label:
        hidden.count === 1
          ? `Row ${hidden.row} is hidden or filtered out in the file. Check it too?`
          : `${rowsOf(hidden.count)} are hidden or filtered out in the file, the first is row ${hidden.row}. Check them too?`,
      options: { [LEAVE_ROWS_OUT]: 'No, leave hidden rows out', check: 'Yes, check hidden rows too' },
    })
  return questions
}

function questionsOfColumns(findings: Findings, headings: string[], targets: Target[]): Question[] {
  return headings.flatMap((heading, index) =>
    COLUMN_KINDS.flatMap((kind) => {
      const found = findings.columns[index]?.[kind]
      if (!found) return []
      const { isFor, label, options } = COLUMN_QUESTIONS[kind]
      const paths = targets.filter(({ field }) => isFor(field)).map(({ path }) => path)
      if (paths.length === 0) return []
      return {
        name: nameOfQuestion(kind, index),
        label: label(heading || `column ${letterOf(index)}`, found.example, found.count),
        help: `The first is in row ${found.row}`,
        options: options(found.example),
        column: { index, kind, paths },
      }
    }),
  )
}

export function nameOfQuestion(kind: ColumnKind, column: number | string): string {
  return `${kind}_${column}`
}

export function askedQuestions(questions: Question[], mapping: Mapping): Question[] {
  return questions.filter(({ column }) => !column || column.paths.includes(mapping[column.index]))
}

/** True if all questions that are asked with this mapping have an answer. */
export function isAnswered(questions: Question[], mapping: Mapping, answers: Answers): boolean {
  return askedQuestions(questions, mapping).every(({ name, options }) =>
    Object.hasOwn(options, answers[name] ?? ''),
  )
}

/** A question as a field of the form of columns; `nameOfColumn` is the name of a column's field. */
export function fieldOfQuestion(
  { name, label, help, options, column }: Question,
  nameOfColumn: (column: number) => string,
): Field {
  return {
    name,
    label,
    type: 'select',
    attrs: {
      required: true,
      radios: true,
      ...(help && { help }),
      options: Object.entries(options).map(([value, label]) => ({ value, label })),
      ...(column && { when: { [nameOfColumn(column.index)]: column.paths } }),
    },
  }
}

/** Answers of the hub's earlier uploads, by kind and target of a column, as answers of this upload. */
export function keptAnswers(questions: Question[], mapping: Mapping, before: Map<string, string>): Answers {
  const answers: Answers = {}
  for (const { name, options, column } of askedQuestions(questions, mapping)) {
    const answer = column && before.get(keyOfAnswer(column.kind, mapping[column.index]))
    if (answer !== undefined && Object.hasOwn(options, answer)) answers[name] = answer
  }
  return answers
}

/** The key under which the answer to a column's question is found for later uploads. */
export function keyOfAnswer(kind: string, path: string): string {
  return `${kind} ${path}`
}
