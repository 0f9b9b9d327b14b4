import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useId, useRef } from 'react'
import type { Summary } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import { Dialog } from '../../core/Dialog.tsx'
import { fillTemplate } from '../../core/fillTemplate.ts'
import type { Row } from '../../core/results.ts'
import { WaitingNote } from '../../core/WaitingNote.tsx'
import type { WaitingSave } from '../../core/waitingSaves.ts'
import type { Choice } from '../../form/widgets/Typeahead.tsx'
import { rowWords } from '../list/rowWords.ts'
import { ALL } from './useAssigning.ts'

interface Props {
  summary: Summary
  rows: Row[]
  assignments: ReadonlyMap<unknown, Choice>
  /** Ids of the rows that the choice for all may not have. */
  unfit: ReadonlySet<unknown>
  record: Values
  button: string
  isBusy: boolean
  waiting: WaitingSave | undefined
  onClose: () => void
  onYes: () => void
}

/** Asks before assignments are saved: how many rows move to whom, and how many stay and why. */
export function AssignSummary({ summary, rows, assignments, unfit, record, button, ...props }: Props) {
  const { isBusy, waiting, onClose, onYes } = props
  const text = useId()
  const cancel = useRef<HTMLButtonElement>(null)
  const { moves, stays } = summaryLines(summary, { rows, assignments, unfit, record })
  return (
    <Dialog
      className="dialog"
      role="alertdialog"
      title={fillTemplate(summary.title, record)}
      isCloseButtonShown={false}
      aria-describedby={text}
      isOpen
      onClose={onClose}
      onOpened={() => cancel.current?.focus()}
    >
      <DialogBody>
        <div id={text}>
          <ul>
            {moves.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {stays.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
        <WaitingNote save={waiting} />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button ref={cancel} text="Cancel" onClick={onClose} />
            <Button
              intent="primary"
              text={button}
              loading={isBusy}
              aria-busy={isBusy}
              onClick={({ detail }) => detail <= 1 && onYes()}
            />
          </>
        }
      />
    </Dialog>
  )
}

/** 'Move 7 issues of 5 clients from Ann Lee to Bob Bell' for each person, and '7 stay: …' for each reason. */
function summaryLines(
  summary: Summary,
  { rows, assignments, unfit, record }: Pick<Props, 'rows' | 'assignments' | 'unfit' | 'record'>,
): { moves: string[]; stays: string[] } {
  const from = fillTemplate(summary.from, record)
  const choices = new Map(
    rows.flatMap(({ id }) => assignments.get(id) ?? []).map((choice) => [choice.value, choice]),
  )
  const moves = [...choices.values()].map(({ value, label, warning }) => {
    const moved = rows.filter(({ id }) => assignments.get(id)?.value === value)
    return `Move ${rowWords(moved, summary.rows)} from ${from} to ${label}${warning ? `, ${warning}` : ''}`
  })
  const left = rows.filter(({ id }) => !assignments.has(id))
  const refused = left.filter(({ id }) => unfit.has(id)).length
  const others = left.length - refused
  const stays = [
    ...(refused > 0
      ? [`${refused} ${refused === 1 ? 'stays' : 'stay'}: ${summary.unfit} (${assignments.get(ALL)?.label}).`]
      : []),
    ...(others > 0 ? [`${others} ${others === 1 ? 'stays' : 'stay'}: nobody is chosen.`] : []),
  ]
  return { moves, stays }
}
