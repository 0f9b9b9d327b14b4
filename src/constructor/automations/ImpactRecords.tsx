import { Button, DialogBody } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { inFull } from '../../contract/pluralise.ts'
import { tagClass } from '../../engine/cells/tagClass.ts'
import { Skeleton } from '../../engine/core/Busy.tsx'
import { makeCall } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import { Dialog } from '../../engine/core/Dialog.tsx'
import { formatDate } from '../../engine/core/dates.ts'
import { ErrorCard } from '../../engine/core/ErrorCard.tsx'
import type { Definitions } from '../forms/definitions.ts'

/** Which records of a draft are listed: those of the automation or of the deadline of this name. */
type Named = { automation: string } | { deadline: string }

interface Props {
  caseType: number
  definitions: Definitions
  named: Named
  title: string
  count: number
}

/** A record as automations.impactRecords lists it. */
interface ImpactRecord {
  case: number
  issue: number | null
  client_name: string
  issue_type_label: string | null
  is_open?: boolean
  begins?: boolean
  was?: string | null
  due?: string | null
  is_met?: boolean
}

/** A button that lists the records that the impact of an automation or a deadline counts, each with a link to it. */
export function ImpactRecordsButton(props: Props): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size="small"
        variant="outlined"
        text={props.count === 1 ? 'See it' : `See the ${inFull(props.count)}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <Dialog
        isOpen={isOpen}
        className="dialog constructor-dialog"
        title={props.title}
        onClose={() => setOpen(false)}
      >
        <DialogBody>
          <Records {...props} />
        </DialogBody>
      </Dialog>
    </>
  )
}

/** A page of the records, and the following one after 'Show more'. */
function Records({ from, ...props }: Props & { from?: number }) {
  const { caseType, definitions, named } = props
  const contract = useContract()
  const list = useRef<HTMLUListElement>(null)
  const [hasMore, setMore] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['records of an impact', caseType, definitions, named, from],
    queryFn: () =>
      makeCall<{ data: ImpactRecord[]; next: number | null }>(contract, 'automations.impactRecords', {
        params: { id: caseType },
        body: { ...definitions, ...named, ...(from !== undefined && { from }) },
        showsLoss: true,
      }),
    // The records may change while the dialog is closed.
    gcTime: 0,
    retry: false,
  })
  useEffect(() => {
    // The button that had the focus is gone.
    if (data && from !== undefined) list.current?.querySelector('a')?.focus()
  }, [data, from])
  if (error && !data) return <ErrorCard error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={4} />
  return (
    <>
      <ul className="impact-records" ref={list}>
        {data.data.map((record) => (
          <RecordLine key={`${record.case} ${record.issue}`} record={record} />
        ))}
      </ul>
      {data.next !== null &&
        (hasMore ? (
          <Records {...props} from={data.next} />
        ) : (
          <Button text="Show more" onClick={() => setMore(true)} />
        ))}
    </>
  )
}

function RecordLine({ record }: { record: ImpactRecord }) {
  const { issue, client_name, issue_type_label, is_open, begins } = record
  const id = useId()
  const ofCase = `/cases/${record.case}`
  return (
    <li>
      <Link
        to={issue === null ? `${ofCase}/details` : `${ofCase}/issues/${issue}/details`}
        aria-describedby={id}
      >
        {issue === null ? `Case ${record.case}` : `Issue ${issue}`}
      </Link>{' '}
      <span id={id}>
        {[client_name, issue_type_label, moveWords(record)].filter(Boolean).join(', ')}
        {is_open === false && <Tag words="Closed" />}
        {begins && <Tag words="Begins" />}
      </span>
    </li>
  )
}

function Tag({ words }: { words: string }) {
  return (
    <>
      {' '}
      <span className={tagClass('grey')}>{words}</span>
    </>
  )
}

/** 'due 4 June 2026 instead of 1 June 2026'; undefined for a record of an automation. */
function moveWords({ was, due, is_met }: ImpactRecord): string | undefined {
  if (is_met) return 'counts as met'
  if (due) {
    const before = was && was !== due ? ` instead of ${formatDate(was)}` : ''
    return `due ${formatDate(due)}${before}`
  }
  return was ? `no longer due on ${formatDate(was)}` : undefined
}
