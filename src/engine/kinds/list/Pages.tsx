import { Classes, HTMLSelect } from '@blueprintjs/core'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { SIZES } from './state/listState.ts'

/** Pagination: links to the pages around the current one, and the page size. */
export function Pages({
  page,
  last,
  size,
  linkTo,
  onSize,
}: {
  page: number
  last: number
  size: number
  linkTo: (page: number) => string
  onSize: (size: number) => void
}) {
  const id = useId()
  return (
    <div className="list-pages">
      {last > 1 && (
        <nav aria-label="Pages">
          <ul>
            <li>
              {page > 1 ? (
                <Link className={STEP} to={linkTo(page - 1)}>
                  Previous
                </Link>
              ) : (
                <span className={OFF}>Previous</span>
              )}
            </li>
            {around(page, last).map((n) => (
              <li key={n}>
                {n < 0 ? (
                  <span className="list-gap">…</span>
                ) : (
                  <Link
                    className={n === page ? `${STEP} ${Classes.ACTIVE}` : STEP}
                    to={linkTo(n)}
                    aria-label={`Page ${n}`}
                    aria-current={n === page ? 'page' : undefined}
                  >
                    {n}
                  </Link>
                )}
              </li>
            ))}
            <li>
              {page < last ? (
                <Link className={STEP} to={linkTo(page + 1)}>
                  Next
                </Link>
              ) : (
                <span className={OFF}>Next</span>
              )}
            </li>
          </ul>
        </nav>
      )}
      <div className="list-size">
        <label htmlFor={id}>Rows on a page</label>
        <HTMLSelect id={id} options={SIZES} value={size} onChange={(e) => onSize(Number(e.target.value))} />
      </div>
    </div>
  )
}

const STEP = `${Classes.BUTTON} ${Classes.MINIMAL}`
const OFF = `${STEP} ${Classes.DISABLED}`

/** The first and last page, and those next to the current one; a gap is the negative of the page before it. */
export function around(page: number, last: number): number[] {
  const pages = [...new Set([1, page - 1, page, page + 1, last])].filter((n) => n >= 1 && n <= last)
  return pages.flatMap((n, i) => (i > 0 && n - pages[i - 1] > 1 ? [-pages[i - 1], n] : [n]))
}
