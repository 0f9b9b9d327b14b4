import type { CellProps } from './cell.ts'

/** A list of texts, each on a line of its own. */
export function LinesCell({ value }: CellProps) {
  const texts = Array.isArray(value) ? value.map(String) : []
  return texts.map((text) => <div key={text}>{text}</div>)
}
