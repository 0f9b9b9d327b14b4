import { Link } from 'react-router-dom'
import { HELD } from '../../../contract/automations/outcomes.ts'
import { joinWords } from '../../../contract/quoted.ts'
import { formatDateTime } from '../../core/dates.ts'

/** A row of the banner's call. Those who do not see the record of an alert get its label and level alone. */
export interface Alert {
  id: string
  kind: string
  level?: 'danger' | 'warning' | 'info'
  label: string | null
  details: string | null
  review_date: string | null
  is_overdue: boolean | null
  because?: string | null
  since?: string | null
  by_name?: string | null
  record_title?: string | null
  notified?: string[] | null
  steps?: string[] | null
  holds?: (keyof typeof HELD)[] | null
  ends_when_closed?: boolean | null
  unanswered?: string | null
  [part: string]: unknown
}

/** Why an alert is there: the condition that holds, what followed, and what ends it. Paper shows it always. */
export function AlertReason({
  id,
  isHidden,
  alert,
  to,
}: {
  id: string
  isHidden: boolean
  alert: Alert
  /** Address of the record that it is about. */
  to: string | undefined
}) {
  const { because, since, by_name, record_title, notified, steps, holds, ends_when_closed, unanswered } =
    alert
  const done = [notifiedWords(notified ?? []), stepWords(steps ?? [])].filter(Boolean)
  const closing = ends_when_closed ? ' or the record is closed' : ''
  return (
    <dl id={id} className="alert-reason" hidden={isHidden}>
      <dt>Because</dt>
      <dd>
        {record_title && <>{to ? <Link to={to}>{record_title}</Link> : record_title}: </>}
        {because}.{since && ` ${[by_name, formatDateTime(since)].filter(Boolean).join(', ')}.`}
      </dd>
      {done.length > 0 && (
        <>
          <dt>What was done</dt>
          <dd>{done.join(' ')}</dd>
        </>
      )}
      <dt>When it ends</dt>
      <dd>
        It disappears once this no longer applies{closing}.
        {holds &&
          holds.length > 0 &&
          ` Until then the record cannot be ${joinWords(
            holds.map((call) => HELD[call]),
            'or',
          )}.`}
        {unanswered && to && (
          <>
            {' '}
            <Link to={`${to}#answers.${unanswered}`} className="no-print">
              Answer the question
            </Link>
          </>
        )}
      </dd>
    </dl>
  )
}

/** Number of names before the others are counted. */
const MAX_NAMES = 3

function notifiedWords(names: string[]): string {
  if (names.length === 0) return ''
  const left = names.length - MAX_NAMES
  const words = left > 0 ? [...names.slice(0, MAX_NAMES), `${left} more`] : names
  return `${joinWords(words)} ${names.length === 1 ? 'was' : 'were'} notified.`
}

function stepWords(titles: string[]): string {
  if (titles.length === 0) return ''
  const quoted = joinWords(titles.map((title) => `“${title}”`))
  return titles.length === 1 ? `The step ${quoted} was planned.` : `The steps ${quoted} were planned.`
}
