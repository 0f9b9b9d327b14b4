import { InputGroup } from '@blueprintjs/core'
import { type KeyboardEvent, memo, type ReactElement } from 'react'

interface Props {
  typed: string
  onType: (typed: string) => void
  /** How many are found; undefined while nothing is looked for. */
  count: number | undefined
}

/**
 * Looks for groups and fields of the tree below; Escape empties it. Ctrl+Z in it is about its own text. Memoised,
 * because Blueprint's input measures what stands in it at every update, which makes the browser lay out the page.
 */
export const SearchBox = memo(function SearchBox({ typed, onType, count }: Props): ReactElement {
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
        rightElement={
          <span className="constructor-facts" role="status">
            {count !== undefined && wordsFor(count)}
          </span>
        }
      />
    </div>
  )
})

function wordsFor(count: number): string {
  if (count === 0) return 'Nothing matches'
  return `${count} ${count === 1 ? 'match' : 'matches'}`
}
