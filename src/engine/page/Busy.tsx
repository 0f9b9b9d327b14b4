import { Classes } from '@blueprintjs/core'
import { useDelayed } from './useDelayed.ts'

/** Grey lines in the place of what is being loaded; nothing for the first 200 ms. */
export function Busy({ lines = 6 }: { lines?: number }) {
  const late = useDelayed(true)
  return late ? <Skeleton lines={lines} /> : null
}

/** Grey lines, at once. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div className="skeleton skeleton-lines" role="status">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={Classes.SKELETON} aria-hidden="true" />
      ))}
    </div>
  )
}
