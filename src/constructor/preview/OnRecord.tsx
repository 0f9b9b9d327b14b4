import { Button, DialogBody, InputGroup } from '@blueprintjs/core'
import { type FormEvent, type ReactElement, useId, useMemo, useRef, useState } from 'react'
import { dueWords } from '../../contract/caseType/deadlineDifferences.ts'
import { contextOfTest, statesOf } from '../../contract/caseType/formTestContext.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Calendars } from '../../contract/deadlines/calendars.ts'
import { sampleDeadlines } from '../../contract/deadlines/sampleDeadlines.ts'
import type { Automation, Deadline, FormTestWith, Group } from '../../contract/generated.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { capitalised } from '../../contract/quoted.ts'
import type { Values } from '../../contract/when.ts'
import { makeCall } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import { Dialog } from '../../engine/core/Dialog.tsx'
import type { ListReply } from '../../engine/core/results.ts'
import { today } from '../../engine/core/today.ts'
import { Messages } from '../controls/Messages.tsx'
import { TriedAutomations } from './TriedAutomations.tsx'

interface Props {
  caseType: number
  meta: MetaName
  groups: Group[]
  automations: Automation[]
  deadlines: Deadline[]
  calendars: Calendars | undefined
}

/** A button that tries the automations and deadlines of the draft on a record that there is; nothing is stored of it. */
export function OnRecord(props: Props): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size="small"
        variant="minimal"
        text="On a record…"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {isOpen && <RecordDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function RecordDialog({ onClose, ...props }: Props & { onClose: () => void }): ReactElement {
  const { caseType, meta } = props
  const contract = useContract()
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const [number, setNumber] = useState('')
  const [message, setMessage] = useState('')
  const [record, setRecord] = useState<TriedRecord>()
  const noun = meta === 'case_meta' ? 'case' : 'issue'
  const read = async (event: FormEvent) => {
    event.preventDefault()
    setMessage('')
    setRecord(undefined)
    if (!/^\d{1,9}$/.test(number))
      return setMessage(`Enter the number of ${meta === 'case_meta' ? 'a' : 'an'} ${noun}`)
    try {
      const found = await readRecord(contract, meta, Number(number))
      if (found.caseType === caseType) setRecord(found)
      else setMessage(`${capitalised(noun)} ${number} is of another case type`)
    } catch {
      setMessage(`There is no ${noun} ${number}, or you may not see it`)
    }
  }
  return (
    <Dialog
      isOpen
      className="dialog constructor-dialog"
      title="Try it on a record"
      onClose={onClose}
      onOpened={() => box.current?.focus()}
    >
      <DialogBody>
        <form noValidate onSubmit={read}>
          <label htmlFor={id}>Number of the {noun}</label>
          <div className="automation-inline">
            <InputGroup
              id={id}
              inputRef={box}
              inputMode="numeric"
              autoComplete="off"
              aria-describedby={message ? `${id}-error` : undefined}
              aria-invalid={message !== ''}
              value={number}
              onValueChange={setNumber}
            />
            <Button type="submit" intent="primary" text="Try it" />
          </div>
          <Messages id={`${id}-error`} messages={message ? [message] : []} />
        </form>
        {record && <Outcome {...props} record={record} />}
      </DialogBody>
    </Dialog>
  )
}

/** What follows from a record by the draft, and what is due on it today. */
function Outcome({
  record,
  meta,
  groups,
  automations,
  deadlines,
  calendars,
}: Props & { record: TriedRecord }) {
  const { conditionContext, due } = useMemo(() => {
    const { answers, facts } = record
    const test = { meta, as: { today: today() }, with: facts }
    const context = { ...contextOfTest(test, { answers }, calendars), withDefaults: false as const }
    const used = deadlines.filter(({ is_on }) => is_on !== false)
    const due = sampleDeadlines(used, meta, groups, context, facts.actions)
    return { conditionContext: { ...context, deadline: statesOf(due) }, due }
  }, [record, meta, groups, deadlines, calendars])
  return (
    <>
      <TriedAutomations
        of={meta === 'case_meta' ? 'case' : 'issue'}
        {...{ automations, groups, conditionContext }}
      />
      <dl className="automation-due">
        {Object.entries(due).map(([name, one]) => (
          <div key={name}>
            <dt>{deadlines.find((deadline) => deadline.name === name)?.label}</dt>
            <dd>{capitalised(dueWords(one))}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

interface TriedRecord {
  caseType: unknown
  answers: Values
  facts: FormTestWith
}

const MAX_ACTIONS = 50

/** Reads a record with what automations and deadlines look at beside it. */
async function readRecord(contract: Contract, meta: MetaName, id: number): Promise<TriedRecord> {
  const read = <T,>(call: string, of: unknown, query = {}) =>
    makeCall<T>(contract, call, { params: { id: of }, query, showsLoss: true })
  const isCase = meta === 'case_meta'
  const record = await read<Values>(isCase ? 'cases.read' : 'issues.read', id)
  const caseRecord = isCase ? record : await read<Values>('cases.read', record.case)
  const [client, actions] = await Promise.all([
    read<Values>('clients.read', caseRecord.client),
    isCase ? [] : read<ListReply>('actions.ofIssue', id, { page_size: MAX_ACTIONS }).then(({ data }) => data),
  ])
  return {
    caseType: caseRecord.case_type,
    answers: (record.answers ?? {}) as Values,
    facts: {
      record,
      case: { ...caseRecord, ...(caseRecord.answers as Values) },
      client,
      actions: actions
        .filter((one) => one.done_on)
        .map((one) => ({ type: Number(one.type), on: String(one.done_on) })),
    },
  }
}
