import { Classes } from '@blueprintjs/core'
import { useDelayed } from './useDelayed.ts'

/** A loading state of skeleton lines; nothing for the first 200 ms. */
export function Busy({ lines = 6 }: { lines?: number }) {
  const late = useDelayed(true)
  return late ? <Skeleton lines={lines} /> : null
}

/** Skeleton lines, without a delay. */
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
