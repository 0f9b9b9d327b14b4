import type { AnsweredForms } from '../answerFilter.ts'
import { isPlainObject, isSet, type Values } from '../when.ts'
import { type AnswerMove, movesBySource } from './answerMoves.ts'
import { type Converted, convertAnswer } from './convertAnswer.ts'

/** The moves of one publication of a case type. */
export type AnswerMigration = {
  version: number
  /** The version whose moves this one takes back. */
  undoes?: number | null
} & Record<keyof AnsweredForms, AnswerMove[]>

export interface Translated {
  answers: Values
  /** Values that do not fit, by the name under which they were and still are stored. */
  left: Values
  /** How each answer was taken over, by its new name. */
  by: Record<string, Converted['by']>
}

/**
 * Answers as a publication takes them over. An answer that does not fit keeps its old name; null, which clears an answer,
 * clears all that take it over. `decided` are values that somebody chose for this record, by the new name.
 */
export function translateAnswers(answers: Values, moves: AnswerMove[], decided: Values = {}): Translated {
  const bySource = movesBySource(moves)
  const translated: Translated = { answers: { ...answers }, left: {}, by: {} }
  for (const from of bySource.keys()) delete translated.answers[from]
  for (const [from, sharing] of bySource) {
    if (!Object.hasOwn(answers, from)) continue
    const value = answers[from]
    const results = sharing.map((move) => [move.name, converted(value, move, decided)] as const)
    const fitting = results.filter(([, result]) => result !== undefined)
    if (fitting.length === 0) {
      translated.left[from] = value
      // Keep the old name, unless a field that takes over other answers uses it now.
      if (!Object.hasOwn(translated.answers, from)) translated.answers[from] = value
    }
    for (const [name, result] of fitting) {
      translated.by[name] = result!.by
      // Keep what somebody typed into the new form after beginning in the old one.
      if (Object.hasOwn(answers, name) && !bySource.has(name)) continue
      if (result!.value === undefined) delete translated.answers[name]
      else translated.answers[name] = result!.value
    }
  }
  return translated
}

function converted(value: unknown, move: AnswerMove, decided: Values): Converted | undefined {
  if (Object.hasOwn(decided, move.name)) return { by: 'table', value: decided[move.name] ?? undefined }
  if (!isSet(value)) return { by: 'same', value }
  return takenOver(value, move)
}

/** The value of a field that takes over an answer; undefined if the answer does not fit. */
export function takenOver(value: unknown, move: AnswerMove): Converted | undefined {
  const { columns } = move
  if (!columns || !Array.isArray(value)) return convertAnswer(value, move)
  const rows = value.map((row) => (isPlainObject(row) ? rowOf(row, columns) : { row, isByTable: false }))
  const by = rows.some(({ isByTable }) => isByTable) ? 'table' : 'same'
  return { by, value: rows.map(({ row }) => row) }
}

/** A row whose columns take over others; what does not fit stands under the new name, as an answer that is invalid. */
function rowOf(stored: Values, columns: AnswerMove[]): { row: Values; isByTable: boolean } {
  const { answers: row, left, by } = translateAnswers(stored, columns)
  for (const [from, value] of Object.entries(left)) {
    const { name } = columns.find((column) => column.from === from)!
    if (name === from || Object.hasOwn(row, name)) continue
    delete row[from]
    row[name] = value
  }
  return { row, isByTable: Object.values(by).includes('table') }
}

/**
 * The migrations that lead from the version of a form to the current one, oldest first. What is taken back within them
 * is left out, so that an answer is not lost on a way there and back.
 */
export function migrationsSince<M extends Pick<AnswerMigration, 'version' | 'undoes'>>(
  migrations: M[],
  version: number,
): M[] {
  const since = migrations.filter((one) => one.version > version).sort((a, b) => a.version - b.version)
  const versions = new Set(since.map((one) => one.version))
  const leftOut = new Set<number>()
  for (const { version: later, undoes } of since.toReversed()) {
    if (leftOut.has(later) || !undoes || !versions.has(undoes)) continue
    leftOut.add(later).add(undoes)
  }
  return since.filter((one) => !leftOut.has(one.version))
}

/** Answers to a form of one version by the names and values of the current one; what does not fit keeps its old name. */
export function translateSince(
  answers: Values,
  migrations: AnswerMigration[],
  { version, meta }: { version: number; meta: keyof AnsweredForms },
): Values {
  return migrationsSince(migrations, version).reduce(
    (translated, migration) => translateAnswers(translated, migration[meta]).answers,
    answers,
  )
}
