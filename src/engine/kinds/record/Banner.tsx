import { Button } from '@blueprintjs/core'
import { useId, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Banner as Described } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import { formatDate } from '../../core/dates.ts'
import { linkTo } from '../../core/link.ts'
import { ReadFailure } from '../../core/ReadFailure.tsx'
import { useClipped } from '../../core/useClipped.ts'
import { type Alert, AlertReason } from './AlertReason.tsx'
import { useAlerts } from './readsAbove.ts'

/** Number of alerts that are visible before all are shown. */
const MAX_ALERTS_SHOWN = 3
/** Kinds in order of importance; others follow. */
const FIRST = ['Risk']
/** Kind of the alerts that follow from the facts of a record, which come first, by their level. */
const ALERT = 'Alert'
const LEVELS = ['danger', 'warning', 'info'] as const
const LEVEL_WORDS = { danger: 'Danger', warning: 'Warning', info: 'Information' }

/** Alerts of a record; renders nothing if there are none, but an error if they cannot be loaded. */
export function Banner({ banner, record }: { banner: Described; record: Values }) {
  const read = useAlerts(banner, record)
  if (read.data) return <Alerts link={banner.link} alerts={ordered(read.data.data as unknown as Alert[])} />
  if (!read.error) return null
  return (
    <section className="banner" aria-label="Alerts">
      <ReadFailure
        title="Risks and alerts could not be read."
        error={read.error}
        onRetry={() => void read.refetch()}
      >
        This does not mean that there are none.
      </ReadFailure>
    </section>
  )
}

function Alerts({ alerts, link }: { alerts: Alert[]; link?: string }) {
  const list = useId()
  const box = useRef<HTMLElement>(null)
  const [open, setOpen] = useState(false)
  const clipped = useClipped(box, open)
  if (alerts.length === 0) return null
  const hasMore = open || clipped || alerts.length > MAX_ALERTS_SHOWN
  return (
    <section ref={box} className={open ? 'banner alerts banner-open' : 'banner alerts'} aria-label="Alerts">
      <ul id={list}>
        {alerts.map((alert, i) => (
          <AlertItem key={alert.id} alert={alert} link={link} isMore={i >= MAX_ALERTS_SHOWN} />
        ))}
      </ul>
      {hasMore && (
        <Button
          className="no-print"
          size="small"
          variant="minimal"
          aria-expanded={open}
          aria-controls={list}
          endIcon={open ? 'chevron-up' : 'chevron-down'}
          text={open ? 'Show less' : alerts.length > 1 ? `Show all ${alerts.length}` : 'Show in full'}
          onClick={() => setOpen(!open)}
        />
      )}
    </section>
  )
}

function ordered(alerts: Alert[]): Alert[] {
  const rank = ({ kind, level }: Alert) =>
    kind === ALERT ? LEVELS.indexOf(level ?? 'info') : LEVELS.length + kindRank(kind)
  const overdue = ({ is_overdue }: Alert) => (is_overdue ? 0 : 1)
  return alerts.toSorted((a, b) => rank(a) - rank(b) || overdue(a) - overdue(b))
}

function kindRank(kind: string): number {
  return FIRST.includes(kind) ? FIRST.indexOf(kind) : FIRST.length
}

/** One alert: kind or level, label, review date, details and reason; `isMore` if it is only visible when all are shown. */
function AlertItem({ alert, link, isMore }: { alert: Alert; link?: string; isMore: boolean }) {
  const { kind, level, label, details, review_date, is_overdue, because } = alert
  const [isExplained, setExplained] = useState(false)
  const reason = useId()
  const to = link && linkTo(link, alert)
  const classes = [`banner-${level ?? 'danger'}`, isMore && 'banner-more']
  return (
    <li className={classes.filter(Boolean).join(' ')}>
      <div className="banner-line">
        <p data-clip>
          <strong>
            {kind === ALERT ? LEVEL_WORDS[level ?? 'info'] : kind}:{' '}
            {to ? <Link to={to}>{label ?? 'open'}</Link> : label}
          </strong>
          {review_date && (
            <span className={is_overdue ? 'banner-overdue' : 'banner-review'}>
              {is_overdue ? 'Review overdue since ' : 'Review on '}
              <time dateTime={review_date}>{formatDate(review_date)}</time>
            </span>
          )}
          {details && details !== label && <span className="banner-details">{details}</span>}
        </p>
        {because && (
          <Button
            className="no-print"
            size="small"
            variant="minimal"
            aria-expanded={isExplained}
            aria-controls={reason}
            onClick={() => setExplained(!isExplained)}
          >
            {isExplained ? 'Hide why' : 'Why is this here?'} <span className="visually-hidden">{label}</span>
          </Button>
        )}
      </div>
      {because && <AlertReason id={reason} isHidden={!isExplained} alert={alert} to={to} />}
    </li>
  )
}
