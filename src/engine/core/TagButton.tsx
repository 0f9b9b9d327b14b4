import { Button } from '@blueprintjs/core'

/** The tag of an applied filter; a click removes the filter. */
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
