import { Link } from 'react-router-dom'
import { formatDate } from '../cells/dates.ts'
import { linkTo } from '../runtime/link.ts'

/** What a banner's call lists. */
export interface Alert {
  id: string
  kind: string
  label: string | null
  details: string | null
  review_date: string | null
  is_overdue: boolean | null
  [part: string]: unknown
}

/** One alert: its kind and name, when it is to be reviewed, its details; `isMore`: only seen when all are asked for. */
export function AlertItem({ alert, link, isMore }: { alert: Alert; link?: string; isMore: boolean }) {
  const { kind, label, details, review_date, is_overdue } = alert
  const to = link && linkTo(link, alert)
  return (
    <li className={isMore ? 'banner-more' : undefined}>
      <p data-clip>
        <strong>
          {kind}: {to ? <Link to={to}>{label ?? 'open'}</Link> : label}
        </strong>
        {review_date && (
          <span className={is_overdue ? 'banner-overdue' : 'banner-review'}>
            {is_overdue ? 'Review overdue since ' : 'Review on '}
            <time dateTime={review_date}>{formatDate(review_date)}</time>
          </span>
        )}
        {details && <span className="banner-details">{details}</span>}
      </p>
    </li>
  )
}
