import { useDelayed } from '../engine/page/useDelayed.ts'

/** In place of the page until it is known what stands on it; nothing for the first 200 ms. */
export function Starting() {
  return useDelayed(true) ? (
    <p className="front" role="status">
      Loading
    </p>
  ) : null
}
