import type { Source } from '../seen.ts'
import { isSet } from '../when.ts'
import { type AnswerMove, movesBySource } from './answerMoves.ts'
import { convertAnswer } from './convertAnswer.ts'

/** A stored value from outside of a form; `follows` are the names of the fields of the form that depend on it. */
interface Seen {
  value: unknown
  follows?: string[]
}
type SeenByPath = Record<string, Seen>

/** The moves of the forms of outside records; those of `last` are also the moves of the form itself. */
type MovesOfSources = Partial<Record<Extract<Source, 'last' | 'case'>, AnswerMove[]>>

/**
 * Values from outside by the paths and values that the forms have now. A value that does not fit keeps its path, under
 * which nothing reads it.
 */
export function translateSeen(seen: SeenByPath, moves: MovesOfSources): SeenByPath {
  const names = movesBySource(moves.last ?? [])
  const nameNow = (name: string) => names.get(name)?.map((move) => move.name) ?? [name]
  const sharingAt = new Map<string, { source: string; sharing: AnswerMove[] }>()
  for (const [source, own] of Object.entries(moves))
    for (const [from, sharing] of movesBySource(own)) sharingAt.set(`$${source}.${from}`, { source, sharing })
  const kept: SeenByPath = {}
  const moved: SeenByPath = {}
  for (const [path, stored] of Object.entries(seen)) {
    const { follows } = stored
    const value = follows ? { ...stored, follows: follows.flatMap(nameNow) } : stored
    const there = sharingAt.get(path)
    let isTaken = false
    for (const move of there?.sharing ?? []) {
      const taken = takenBy(move, value)
      if (taken) moved[`$${there!.source}.${move.name}`] = taken
      isTaken ||= taken !== undefined
    }
    if (!isTaken) kept[path] = value
  }
  return { ...kept, ...moved }
}

function takenBy(move: AnswerMove, seen: Seen): Seen | undefined {
  if (!isSet(seen.value)) return seen
  const converted = convertAnswer(seen.value, move)
  return converted && { ...seen, value: converted.value ?? null }
}
