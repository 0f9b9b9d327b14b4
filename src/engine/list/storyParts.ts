import type { RenderedColumn } from '../cells/columns.ts'

/** Columns of a story by what they are in an entry. */
interface StoryParts {
  tags: RenderedColumn[]
  name?: RenderedColumn
  texts: RenderedColumn[]
  small: RenderedColumn[]
}

/** A text that may be longer than this is read in full, in lines of its own. */
const LONG = 1000

/** Tags and the first text head an entry, long texts and changes are read in full, the rest stands small below. */
export function partsOf(columns: RenderedColumn[]): StoryParts {
  const tags = columns.filter(({ as }) => as === 'tag')
  const texts = columns.filter(isText)
  const name = columns.find((column) => column.as === 'text' && !texts.includes(column))
  const placed = [...tags, ...texts, name]
  return { tags, name, texts, small: columns.filter((column) => !placed.includes(column)) }
}

function isText({ as, property }: RenderedColumn): boolean {
  return as === 'changes' || (as === 'text' && (property.maxLength ?? 0) > LONG)
}
