import { Classes } from '@blueprintjs/core'
import { useDelayed } from '../../core/useDelayed.ts'

const CARDS = 3
const LINES = 4

/** Placeholder of a record that is loading: grey lines for its section index and cards, after a delay. */
export function CardsSkeleton() {
  const late = useDelayed(true)
  return late ? (
    <div className="skeleton record" role="status">
      <span className="visually-hidden">Loading</span>
      <div className="section-index" aria-hidden="true">
        {lines(CARDS * 2)}
      </div>
      <div className="form record-cards" aria-hidden="true">
        {Array.from({ length: CARDS }, (_, card) => (
          <div key={card} className="form-section card">
            <div className="card-head">{lines(1)}</div>
            <div className="read-list">
              {Array.from({ length: LINES }, (_, line) => (
                <div key={line} className="read-item">
                  {lines(2)}
                </div>
              ))}
            </div>
          </div>
        ))}
      </div>
    </div>
  ) : null
}

function lines(count: number) {
  return Array.from({ length: count }, (_, line) => (
    <span key={line} className={`${Classes.SKELETON} skeleton-text`} />
  ))
}
