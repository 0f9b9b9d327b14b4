import { type AnswerMove, movesBySource } from '../../../contract/answerMigration/answerMoves.ts'
import type { Converted } from '../../../contract/answerMigration/convertAnswer.ts'
import { migrationsSince, translateAnswers } from '../../../contract/answerMigration/translateAnswers.ts'
import { translateSeen } from '../../../contract/answerMigration/translateSeen.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import { pick, type Values } from '../../../contract/when.ts'
import { type HiddenAnswers, hiddenValues } from '../hiddenAnswers/entries.ts'
import type { PendingMigration, SeenAnswers, TouchedAnswers } from './pendingMigrations.ts'

export interface StoredAnswers {
  answers: Values
  hidden_answers: HiddenAnswers
  /** The values of other records that the record was evaluated with; undefined where nobody needs them. */
  answers_seen?: SeenAnswers
}

/** What one migration changes in a record. */
export interface MigrationStep {
  migration: number
  before: TouchedAnswers
  after: TouchedAnswers
  /** Values that do not fit, or that were changed before an undo, by the names under which they are. */
  open: Values
  /** How each answer is taken over, by its new name. */
  by: Record<string, Converted['by']>
}

/** The answers of a record as they are once all pending migrations have reached it, and what each of these changes. */
export function currentAnswers(
  stored: StoredAnswers,
  pending: PendingMigration[],
  now = new Date(),
): StoredAnswers & { steps: MigrationStep[] } {
  const steps: MigrationStep[] = []
  let current = stored
  const since = now.toISOString()
  for (const migration of migrationsSince(pending, 0)) {
    const { undone } = migration
    const moves = undone ?? migration.moves
    const names = namesOf(moves)
    const paths = seenPathsOf(migration)
    const before = touched(current, names, paths)
    const { open, by, ...after } = undone
      ? takenBack(current, migration, undone, since)
      : takenAlong(current, migration, since)
    current = {
      ...after,
      ...(current.answers_seen && { answers_seen: seenAfter(current.answers_seen, migration, paths) }),
    }
    if (isTouched(before) || isTouched(touched(current, names, paths)))
      steps.push({ migration: migration.id, before, after: touched(current, names, paths), open, by })
  }
  return { ...current, steps }
}

function namesOf(moves: AnswerMove[]): string[] {
  return [...new Set(moves.flatMap(({ name, from }) => [from, name]))]
}

/** The paths at which a migration may rename values from outside, by their names before and after. */
function seenPathsOf(migration: PendingMigration): string[] {
  const { moves, of_case, undone, undone_of_case } = migration
  const last = namesOf(undone ?? moves).map((name) => `$last.${name}`)
  return [...last, ...namesOf(undone_of_case ?? of_case ?? []).map((name) => `$case.${name}`)]
}

/** The values from outside after a migration; one that takes another back restores those that stayed as they were. */
function seenAfter(seen: SeenAnswers, migration: PendingMigration, paths: string[]): SeenAnswers {
  const isTouchedPath = (path: string) => paths.includes(path)
  const { before, after } = migration.replaced ?? {}
  if (migration.undone && before?.seen && isEqual(pick(seen, isTouchedPath), after?.seen ?? {}))
    return { ...(pick(seen, (path) => !isTouchedPath(path)) as SeenAnswers), ...before.seen }
  const { moves, of_case } = migration
  return translateSeen(seen, { last: moves, ...(of_case && { case: of_case }) })
}

function isTouched({ answers, hidden, seen = {} }: TouchedAnswers): boolean {
  return [answers, hidden, seen].some((values) => Object.keys(values).length > 0)
}

type Moved = Omit<StoredAnswers, 'answers_seen'> & Pick<MigrationStep, 'open' | 'by'>

function takenAlong(
  { answers, hidden_answers }: StoredAnswers,
  migration: PendingMigration,
  since: string,
): Moved {
  const { moves, decided, version } = migration
  const moved = translateAnswers(answers, moves, stillDecided(answers, moves, decided ?? {}))
  const hidden = hiddenMoved(hidden_answers, moves)
  const result = { answers: { ...moved.answers }, hidden_answers: hidden }
  hide(result, moved.left, moves, { since, version })
  return { ...result, open: moved.left, by: moved.by }
}

/** The chosen values whose answers are still those that they were chosen for. */
function stillDecided(
  answers: Values,
  moves: AnswerMove[],
  decided: NonNullable<PendingMigration['decided']>,
): Values {
  const still = moves.filter(
    ({ name, from }) => Object.hasOwn(decided, name) && isEqual(decided[name].was, answers[from]),
  )
  return Object.fromEntries(still.map(({ name }) => [name, decided[name].is]))
}

function takenBack(
  stored: StoredAnswers,
  { moves, replaced, version }: PendingMigration,
  undone: AnswerMove[],
  since: string,
): Moved {
  const result = { answers: { ...stored.answers }, hidden_answers: { ...stored.hidden_answers } }
  const moved: Moved = { ...result, open: {}, by: {} }
  for (const connected of connectedMoves(undone)) {
    const sources = [...movesBySource(connected)].map(([from, sharing]) => ({
      from,
      taking: sharing.map(({ name }) => name),
    }))
    const froms = sources.map(({ from }) => from)
    const isUnchanged = (names: string[]) =>
      replaced !== null && isEqual(touched(result, names), touchedOf(replaced.after, names))
    const names = namesOf(connected)
    if (replaced && isUnchanged(names)) {
      for (const name of names) {
        delete result.answers[name]
        delete result.hidden_answers[name]
      }
      const { answers, hidden } = touchedOf(replaced.before, names)
      Object.assign(result.answers, answers)
      Object.assign(result.hidden_answers, hidden)
      for (const from of froms) moved.by[from] = 'same'
      continue
    }
    const back = moves.filter(({ name }) => froms.includes(name))
    const answersOf = (some: typeof sources) =>
      pick(result.answers, (name) => some.some(({ taking }) => taking.includes(name)))
    if (replaced) Object.assign(moved.open, answersOf(sources.filter(({ taking }) => !isUnchanged(taking))))
    // An answer that several fields have taken over cannot be moved back.
    const staying = answersOf(sources.filter(({ from }) => !back.some(({ name }) => name === from)))
    const translated = translateAnswers(result.answers, back)
    result.answers = { ...translated.answers }
    result.hidden_answers = hiddenMoved(result.hidden_answers, back)
    Object.assign(moved.by, translated.by)
    const left = { ...staying, ...translated.left }
    Object.assign(moved.open, left)
    // A field of the name before is in the form again.
    hide(
      result,
      pick(left, (name) => !froms.includes(name)),
      back,
      { since, version },
    )
  }
  return { ...moved, ...result }
}

/**
 * Groups of moves that share a name, such as those of fields that exchange their names; each group is undone as a
 * whole.
 */
function connectedMoves(moves: AnswerMove[]): AnswerMove[][] {
  return moves.reduce<AnswerMove[][]>((groups, move) => {
    const isLinked = (group: AnswerMove[]) =>
      namesOf(group).some((name) => name === move.name || name === move.from)
    return [...groups.filter((group) => !isLinked(group)), [...groups.filter(isLinked).flat(), move]]
  }, [])
}

/** Moves values that do not fit to the hidden answers, unless a field of the form has their name. */
function hide(
  result: StoredAnswers,
  left: Values,
  moves: AnswerMove[],
  cause: { since: string; version: number },
): void {
  for (const [name, value] of Object.entries(left)) {
    if (moves.some((move) => move.name === name)) continue
    delete result.answers[name]
    result.hidden_answers = { ...result.hidden_answers, [name]: { value, ...cause } }
  }
}

/** Hidden answers keep what hid them, and since when. */
function hiddenMoved(hidden: HiddenAnswers, moves: AnswerMove[]): HiddenAnswers {
  const bySource = movesBySource(moves)
  if (!Object.keys(hidden).some((name) => bySource.has(name))) return hidden
  const { answers } = translateAnswers(hiddenValues(hidden), moves)
  const sourceOf = (name: string) =>
    moves.find((move) => move.name === name && Object.hasOwn(hidden, move.from))?.from
  return Object.fromEntries(
    Object.entries(answers).map(([name, value]) => [name, { ...hidden[sourceOf(name) ?? name], value }]),
  )
}

function touched(
  { answers, hidden_answers, answers_seen }: StoredAnswers,
  names: string[],
  paths: string[] = [],
): TouchedAnswers {
  const seen = pick(answers_seen ?? {}, (path) => paths.includes(path)) as SeenAnswers
  return {
    ...touchedOf({ answers, hidden: hidden_answers }, names),
    ...(Object.keys(seen).length > 0 && { seen }),
  }
}

function touchedOf({ answers, hidden }: TouchedAnswers, names: string[]): TouchedAnswers {
  const isNamed = (name: string) => names.includes(name)
  return { answers: pick(answers, isNamed), hidden: pick(hidden, isNamed) as HiddenAnswers }
}
