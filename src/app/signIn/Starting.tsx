import { useDelayed } from '../../engine/core/useDelayed.ts'

/** The loading state of the page while the session or the shell is loaded; nothing for the first 200 ms. */
export function Starting() {
  return useDelayed(true) ? (
    <p className="front" role="status">
      Loading
    </p>
  ) : null
}
