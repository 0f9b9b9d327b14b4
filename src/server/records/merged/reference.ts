/** A column of the database that refers to a record that can be merged into another one. */
export interface Reference {
  table: string
  column: string
  /** Column of the record below it that a row belongs to: with a value, the row follows that record. */
  below?: string
  /** The value of `entity` for the rows that refer to it, where a column refers to records of several entities. */
  entity?: string
  /** True for rows without an id, all of which belong to a record below. */
  withoutId?: true
  /** What a merge does: its rows move to the other record, or why they do not. */
  merge: 'move' | { no: string }
}

/** Those whose rows move, in this order. */
export function movedOf(references: Reference[]): Reference[] {
  return references.filter(({ merge }) => merge === 'move')
}
