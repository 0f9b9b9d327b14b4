import { Button } from '@blueprintjs/core'

/** What a list is filtered by, in words; a click takes that filter off. */
export function TagButton({ words, onRemove }: { words: string; onRemove: () => void }) {
  return (
    <Button
      className="list-tag"
      size="small"
      endIcon="cross"
      aria-label={`${words}, remove this filter`}
      text={words}
      onClick={onRemove}
    />
  )
}
