import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Progress as Described } from '../../../contract/generated.ts'
import { inFull } from '../../../contract/pluralise.ts'
import { holds, type Values } from '../../../contract/when.ts'
import { readOf, useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'

const POLL_INTERVAL_MS = 1000
/** Refetch interval in ms of the record itself, whose numbers change while the job runs. */
const RECORD_INTERVAL_MS = 5000

interface Props {
  progress: Described
  /** Call that reads the record. */
  call: string
  record: Values
  params: Values
}

interface Reply {
  total: number
  done: number
  rate: number | null
  seconds_left: number | null
  state: string
}

/** The progress of a record's job. When the job reaches another state, the queries that it affects are refetched. */
export default function Progress({ progress, call, record, params }: Props) {
  const contract = useContract()
  const client = useQueryClient()
  const isBusy = holds(progress.when, { record })
  const { data } = useRead<Reply>(
    isBusy ? progress.read : undefined,
    { params },
    { refetchInterval: POLL_INTERVAL_MS, alwaysRefetch: true },
  )
  const touched = useRef<string[]>([])
  touched.current = [...readOf(contract, call), ...(progress.touches ?? [])]
  const refresh = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [kind, name] }) =>
        kind === 'call' &&
        name !== progress.read &&
        readOf(contract, String(name)).some((entity) => touched.current.includes(entity)),
    })
  const refreshNow = useRef(refresh)
  refreshNow.current = refresh
  const next = isBusy && data?.state !== record.state ? data?.state : undefined
  useEffect(() => {
    if (next) void refreshNow.current()
  }, [next])
  useEffect(() => {
    if (!isBusy) return
    const timer = setInterval(() => void refreshNow.current(), RECORD_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isBusy])
  const [wasBusy, setWasBusy] = useState(false)
  if (isBusy && !wasBusy) setWasBusy(true)
  return (
    <div className="detail-progress">
      {isBusy && (
        <>
          <progress
            {...(data && data.total > 0 && { value: data.done, max: data.total })}
            aria-label="Progress"
          />
          <span>{data ? textOf(data) : 'Waiting'}</span>
        </>
      )}
      <p className="visually-hidden" role="status">
        {wasBusy && (isBusy ? 'Under way' : 'Finished')}
      </p>
    </div>
  )
}

function textOf({ total, done, rate, seconds_left }: Reply): string {
  if (total === 0) return 'Begins in a moment'
  const parts = [`${inFull(done)} of ${inFull(total)}`]
  if (rate) parts.push(`${inFull(Math.round(rate))} a second`)
  if (seconds_left) parts.push(`${timeOf(seconds_left)} left`)
  return parts.join(', ')
}

function timeOf(seconds: number): string {
  if (seconds < 60) return `about ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  const minutes = Math.round(seconds / 60)
  return `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
}
