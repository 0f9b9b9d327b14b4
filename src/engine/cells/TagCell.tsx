import { Classes, Intent } from '@blueprintjs/core'
import type { CellProps } from './cell.ts'
import { useLabels } from './labels.ts'

const YES: unknown[] = ['yes', true]
const NOT_YES: unknown[] = ['no', 'not_known', false]

/** Words in tags: a choice's label; for a yes, what the field is called; for a no, nothing. */
export function TagCell({ value, property }: CellProps) {
  const words = useLabels(property, value)
  if (YES.includes(value)) return <Tag word={property.title} intent={Intent.WARNING} />
  if (NOT_YES.includes(value)) return null
  return words.filter(Boolean).map((word) => <Tag key={word} word={word} />)
}

/** Blueprint's Tag measures its text, which costs a long list a layout for each row; its looks are all we need. */
function Tag({ word, intent }: { word: string; intent?: Intent }) {
  const classes = [Classes.TAG, Classes.MINIMAL, intent && Classes.intentClass(intent)]
  return <span className={classes.filter(Boolean).join(' ')}>{word}</span>
}
