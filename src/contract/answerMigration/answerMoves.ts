import type { Field, Group, TakenValue } from '../generated.ts'

/** One field that takes over the answers of a field of the version before. */
export interface AnswerMove {
  name: string
  from: string
  values?: TakenValue[]
  /** The field of the version before, and the field that takes its answers over. */
  was: Field
  is: Field
}

/** The moves that a publication makes, in the forms of the version. */
export function movesOf(before: Group[], after: Group[]): AnswerMove[] {
  const published = new Map(
    before.flatMap(({ fields }) => fields.map((field) => [field.name, field] as const)),
  )
  return after.flatMap(({ fields }) =>
    fields.flatMap((is) => {
      const { from, values } = is.attrs?.takes ?? {}
      const was = from === undefined ? undefined : published.get(from)
      if (!was) return []
      return [
        { name: is.name, from: was.name, ...(values && { values }), was: shapeOf(was), is: shapeOf(is) },
      ]
    }),
  )
}

/** The names under which moves find answers. */
export function sourcesOf(moves: AnswerMove[]): string[] {
  return [...new Set(moves.map(({ from }) => from))]
}

/** The moves by the field whose answers they take. */
export function movesBySource(moves: AnswerMove[]): Map<string, AnswerMove[]> {
  const bySource = new Map<string, AnswerMove[]>()
  for (const move of moves) bySource.set(move.from, [...(bySource.get(move.from) ?? []), move])
  return bySource
}

/** A form without what a publication applies once. */
export function withoutTakes(groups: Group[]): Group[] {
  const isTaking = ({ attrs }: Field) => attrs?.takes !== undefined
  if (!groups.some(({ fields }) => fields.some(isTaking))) return groups
  return groups.map((group) => ({
    ...group,
    fields: group.fields.map((field) => {
      if (!isTaking(field)) return field
      const { takes: _, ...attrs } = field.attrs!
      return { ...field, attrs }
    }),
  }))
}

/**
 * The moves that lead back to the version before, for answers of which nothing else is known. A table is reversed where
 * one value became one other; answers that several fields share are not put together again.
 */
export function reverseMoves(moves: AnswerMove[]): AnswerMove[] {
  return [...movesBySource(moves).values()].flatMap((sharing) => {
    if (sharing.length > 1) return []
    const [{ name, from, values, was, is }] = sharing
    const reversed = values && reverseTable(values)
    return [{ name: from, from: name, ...(reversed && { values: reversed }), was: is, is: was }]
  })
}

function reverseTable(values: TakenValue[]): TakenValue[] {
  return values.flatMap(({ was, is }) => {
    const isAlone = values.filter((one) => one.is === is).length === 1
    return was !== undefined && is !== null && isAlone ? [{ was: is, is: was }] : []
  })
}

/** What a conversion and the history look at of a field, without its texts and conditions. */
function shapeOf({ name, label, type, attrs = {} }: Field): Field {
  const { options, lookup, known_only, places, unit, currency, min, max, max_length, sensitive } = attrs
  const kept = { options, lookup, known_only, places, unit, currency, min, max, max_length, sensitive }
  const own = Object.entries(kept).filter(([, value]) => value !== undefined)
  return { name, label, type, attrs: Object.fromEntries(own) }
}
