import { useEffect, useRef } from 'react'

/** Everything that is wrong with the form by hand, with links to its controls; takes the focus, as ours does. */
export function Summary({ errors }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null))
  useEffect(() => box.current?.focus(), [])
  return (
    <div className="error-summary" ref={box} tabIndex={-1} role="alert" aria-labelledby="summary">
      <h2 id="summary">There is a problem</h2>
      <ul>
        {Object.entries(errors).map(([id, error]) => (
          <li key={id}>
            <a href={`#${id}`}>{error}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}
