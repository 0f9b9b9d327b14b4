import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { COLUMN_KINDS } from './columnQuestions.ts'
import { keyOfAnswer, nameOfQuestion } from './questions.ts'
import { LEAVE_OUT, normalise, type Target } from './targets.ts'
import type { Upload } from './upload.ts'

/** The target of each column by its number from 0, or 'leave_out'; undecided columns are missing. */
export type Mapping = Record<string, string>

/** Headings of the first columns of an annotated file. */
export const WHAT_IS_WRONG = 'What is wrong'
export const ROW_OF_FILE = 'Row of the uploaded file'

/**
 * Proposes the target of each column without one in `chosen`: by its heading or a field's name, else by the hub's
 * earlier uploads.
 */
export function proposeMapping(
  headings: string[],
  targets: Target[],
  before: Map<string, string>,
  chosen: Mapping = {},
): Mapping {
  const mapping: Mapping = { ...chosen }
  const taken = new Set(Object.values(chosen))
  taken.delete(LEAVE_OUT)
  const known = new Set(targets.map(({ path }) => path))
  for (const [i, heading] of headings.entries()) {
    if (mapping[i] !== undefined) continue
    const key = normalise(heading)
    const earlier = before.get(key)
    const path = isOwn(heading)
      ? LEAVE_OUT
      : (pathOf(key, targets) ?? (earlier === LEAVE_OUT || known.has(earlier ?? '') ? earlier : undefined))
    if (path === undefined || key === '' || taken.has(path)) continue
    mapping[i] = path
    if (path !== LEAVE_OUT) taken.add(path)
  }
  return mapping
}

/** What the hub chose in its last uploads of a case type. */
interface EarlierChoices {
  /** Targets by heading. */
  targets: Map<string, string>
  /** Answers about columns by kind of question and target. */
  answers: Map<string, string>
}

export async function earlierChoices(
  db: Db,
  { id, hub, case_type, replaces }: Pick<Upload, 'id' | 'hub' | 'case_type' | 'replaces'>,
): Promise<EarlierChoices> {
  const { rows } = await sql<
    Pick<Upload, 'headings' | 'mapping' | 'answers'>
  >`select headings, mapping, answers
    from bulk_uploads where id <> ${id} and case_type = ${case_type} and hub is not distinct from ${hub}
    order by (id = ${replaces}) is true desc, id desc limit 20`.execute(db)
  // The last entry wins: that of the upload that is corrected, else of the newest.
  const uploads = rows.reverse()
  const targets = uploads.flatMap(({ headings, mapping }) =>
    Object.entries(mapping).map(([i, path]) => [normalise(headings[Number(i)] ?? ''), path] as const),
  )
  const answers = uploads.flatMap(({ mapping, answers }) =>
    Object.entries(mapping).flatMap(([i, path]) =>
      COLUMN_KINDS.flatMap((kind) => {
        const answer = answers[nameOfQuestion(kind, i)]
        return answer === undefined ? [] : [[keyOfAnswer(kind, path), answer] as const]
      }),
    ),
  )
  return { targets: new Map(targets), answers: new Map(answers) }
}

/** True if every column has a target or is left out. */
export function isComplete(mapping: Mapping, headings: string[]): boolean {
  return headings.every((_, i) => mapping[i] !== undefined)
}

export function columnsByPath(mapping: Mapping): Map<string, number> {
  const used = Object.entries(mapping).filter(([, path]) => path !== LEAVE_OUT)
  return new Map(used.map(([i, path]) => [path, Number(i)]))
}

function isOwn(heading: string): boolean {
  return [WHAT_IS_WRONG, ROW_OF_FILE].some((one) => normalise(one) === normalise(heading))
}

function pathOf(key: string, targets: Target[]): string | undefined {
  const tests: ((target: Target) => string)[] = [
    ({ heading }) => heading,
    ({ path }) => path,
    // Templates of release 0.3 and before.
    ({ field, part }) => `${field.label} (${part}): ${field.name}`,
    ({ field }) => field.label,
    ({ field }) => field.name,
  ]
  for (const text of tests) {
    const found = targets.filter((target) => normalise(text(target)) === key)
    if (found.length === 1) return found[0].path
  }
  return undefined
}
