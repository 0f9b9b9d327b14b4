import { InputGroup } from '@blueprintjs/core'
import type { KeyboardEvent, ReactElement } from 'react'

interface Props {
  typed: string
  onType: (typed: string) => void
  /** Number of matches; undefined while the box is empty. */
  count: number | undefined
}

/**
 * Searches the groups and fields of the tree below; Escape clears it, and Ctrl+Z in it only undoes its own text.
 */
export function SearchBox({ typed, onType, count }: Props): ReactElement {
  const empty = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || typed === '') return
    event.stopPropagation()
    onType('')
  }
  return (
    <div className="constructor-search" data-own-text="">
      <InputGroup
        type="search"
        leftIcon="search"
        aria-label="Find a group or field"
        placeholder="Find a group or field"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onValueChange={onType}
        onKeyDown={empty}
      />
      {/* Not the element on the right of Blueprint's input, which is measured and so forces a layout of the page. */}
      <span className="constructor-facts" role="status">
        {count !== undefined && wordsFor(count)}
      </span>
    </div>
  )
}

function wordsFor(count: number): string {
  if (count === 0) return 'Nothing matches'
  return `${count} ${count === 1 ? 'match' : 'matches'}`
}
