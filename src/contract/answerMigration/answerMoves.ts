import type { Field, Group, TakenValue } from '../generated.ts'

/** One field that takes over the answers of a field of the version before. */
export interface AnswerMove {
  name: string
  from: string
  values?: TakenValue[]
  /** Of a field with rows: its columns that take over the answers of other columns. */
  columns?: AnswerMove[]
  /** The field of the version before, and the field that takes its answers over. */
  was: Field
  is: Field
}

/** The moves that a publication makes, in the forms of the version. */
export function movesOf(before: Group[], after: Group[]): AnswerMove[] {
  return movesOfFields(
    before.flatMap(({ fields }) => fields),
    after.flatMap(({ fields }) => fields),
  )
}

function movesOfFields(before: Field[], after: Field[]): AnswerMove[] {
  const published = new Map(before.map((field) => [field.name, field]))
  return after.flatMap((is) => {
    const { from = is.name, values } = is.attrs?.takes ?? {}
    const was = published.get(from)
    if (!was) return []
    const columns = movesOfFields(was.fields ?? [], is.fields ?? [])
    if (!is.attrs?.takes && columns.length === 0) return []
    const own = { ...(values && { values }), ...(columns.length > 0 && { columns }) }
    return [{ name: is.name, from: was.name, ...own, was: shapeOf(was), is: shapeOf(is) }]
  })
}

/** Names of the answers that the moves read. */
export function sourcesOf(moves: AnswerMove[]): string[] {
  return [...new Set(moves.map(({ from }) => from))]
}

export function movesBySource(moves: AnswerMove[]): Map<string, AnswerMove[]> {
  const bySource = new Map<string, AnswerMove[]>()
  for (const move of moves) bySource.set(move.from, [...(bySource.get(move.from) ?? []), move])
  return bySource
}

/** A form without its `takes`, which a publication applies once. */
export function withoutTakes(groups: Group[]): Group[] {
  if (!groups.some(({ fields }) => fields.some(isTaking))) return groups
  return groups.map((group) => ({ ...group, fields: group.fields.map(withoutTakesOf) }))
}

function isTaking({ attrs, fields = [] }: Field): boolean {
  return attrs?.takes !== undefined || fields.some(isTaking)
}

function withoutTakesOf(field: Field): Field {
  if (!isTaking(field)) return field
  const { takes: _, ...attrs } = field.attrs ?? {}
  return {
    ...field,
    ...(field.attrs && { attrs }),
    ...(field.fields && { fields: field.fields.map(withoutTakesOf) }),
  }
}

/**
 * The moves that undo a publication, for answers whose previous value is not stored. A table entry is reversed only if
 * its new value came from one old value and was no choice before; answers that several fields share are not put
 * together again.
 */
export function reverseMoves(moves: AnswerMove[]): AnswerMove[] {
  return [...movesBySource(moves).values()].flatMap((sharing) => {
    if (sharing.length > 1) return []
    const [{ name, from, values, columns, was, is }] = sharing
    const reversed = {
      ...(values && { values: reverseTable(values, was) }),
      ...(columns && { columns: reverseMoves(columns) }),
    }
    return [{ name: from, from: name, ...reversed, was: is, is: was }]
  })
}

function reverseTable(values: TakenValue[], before: Field): TakenValue[] {
  const isChoice = (value: unknown) => before.attrs?.options?.some((option) => option.value === value)
  return values.flatMap(({ was, is }) => {
    const isAlone = values.filter((one) => one.is === is).length === 1 && !isChoice(is)
    return was !== undefined && is !== null && isAlone ? [{ was: is, is: was }] : []
  })
}

/** The parts of a field that conversions and the field's history compare, without its texts and conditions. */
function shapeOf({ name, label, type, attrs = {} }: Field): Field {
  const { options, lookup, known_only, places, unit, currency, min, max, max_length, sensitive } = attrs
  const kept = { options, lookup, known_only, places, unit, currency, min, max, max_length, sensitive }
  const own = Object.entries(kept).filter(([, value]) => value !== undefined)
  return { name, label, type, attrs: Object.fromEntries(own) }
}
