import { Classes, Intent } from '@blueprintjs/core'
import { statusLabels } from '../../contract/lifespan.ts'
import { formatDate } from '../core/dates.ts'
import { useLabels } from '../core/labels.ts'
import type { CellProps } from './cell.ts'

const YES: unknown[] = ['yes', true]
const NOT_YES: unknown[] = ['no', 'not_known', false]

/**
 * Tags with the labels of choices. A yes is the title of the field, a no or not known is nothing, and a date follows
 * the title.
 */
export function TagCell({ value, property, row }: CellProps) {
  const words = statusLabels(property, useLabels(property, value), row)
  if (property.format === 'date' && value)
    return <Tag word={`${property.title} ${formatDate(String(value))}`} />
  if (YES.includes(value)) return <Tag word={property.title} intent={Intent.WARNING} />
  if (NOT_YES.includes(value)) return null
  return words.filter(Boolean).map((word) => <Tag key={word} word={word} />)
}

/** Uses only the classes of Blueprint's Tag, which measures its text and so costs a long list a layout per row. */
export function Tag({ word, intent }: { word: string; intent?: Intent }) {
  const classes = [Classes.TAG, Classes.MINIMAL, intent && Classes.intentClass(intent)]
  return <span className={classes.filter(Boolean).join(' ')}>{word}</span>
}
