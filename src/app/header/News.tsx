import { Button } from '@blueprintjs/core'
import { useRef } from 'react'
import { Link } from 'react-router-dom'
import { useRead, useSend } from '../../engine/core/calls.ts'
import { formatDateTime, formatTime } from '../../engine/core/dates.ts'
import { MESSAGES } from '../core/messages.ts'

/** Most notices in the panel; the list of new work has the others. */
const MAX_NOTICES = 20

interface Notice {
  id: number
  sentence: string
  page: string | null
  urgent: boolean
  created_at: string
}
interface Notices {
  data: Notice[]
  pagination: { count: number }
}

/** What has happened to the user's work, newest first, each line until it is opened or dismissed. */
export function News() {
  const { data, isError } = useRead<Notices>('workNotices.list', {
    query: { seen: 'Unread', bell: true, page_size: MAX_NOTICES },
  })
  const dismissAll = useSend('workNotices.readAll')
  const list = useRef<HTMLUListElement>(null)
  if (isError) return <p>{MESSAGES.noticesNotLoaded}</p>
  if (!data) return <p role="status">Loading what is new…</p>
  return (
    <>
      <ul className="notices news" ref={list} aria-label="What happened">
        {data.data.map((notice) => (
          <NewsLine key={notice.id} notice={notice} onDismissed={() => focusNear(list.current, notice.id)} />
        ))}
      </ul>
      <p className="news-foot">
        <Link to="/dashboard/new-work">{MESSAGES.allNews(data.pagination.count)}</Link>
        <Button
          size="small"
          text="Dismiss all"
          loading={dismissAll.isPending}
          onClick={() => dismissAll.mutate({})}
        />
      </p>
    </>
  )
}

function NewsLine({ notice, onDismissed }: { notice: Notice; onDismissed: () => void }) {
  const { id, sentence, page, urgent, created_at } = notice
  const read = useSend('workNotices.read')
  const dismiss = () => {
    onDismissed()
    read.mutate({ params: { id } })
  }
  const words = urgent ? <strong>{sentence}</strong> : sentence
  return (
    <li data-notice={id}>
      <span>
        {page ? (
          <Link to={page} onClick={() => read.mutate({ params: { id } })}>
            {words}
          </Link>
        ) : (
          words
        )}{' '}
        <time dateTime={created_at} title={formatDateTime(created_at)}>
          {formatTime(created_at)}
        </time>
      </span>
      <Button
        variant="minimal"
        size="small"
        icon="cross"
        aria-label={`Dismiss: ${sentence}`}
        disabled={read.isPending}
        onClick={dismiss}
      />
    </li>
  )
}

/** Moves the focus to the button of the next line, else of the previous one, before a line is removed. */
function focusNear(list: HTMLElement | null, id: number): void {
  const lines = [...(list?.querySelectorAll<HTMLElement>('li') ?? [])]
  const at = lines.findIndex((line) => line.dataset.notice === String(id))
  const near = lines[at + 1] ?? lines[at - 1]
  near?.querySelector<HTMLElement>('button')?.focus()
}
