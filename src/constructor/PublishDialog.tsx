import { Button, DialogBody, DialogFooter, TextArea } from '@blueprintjs/core'
import { type ReactElement, useCallback, useId, useRef, useState } from 'react'
import { adviceOn } from '../contract/meta/advice.ts'
import type { ItemLabel } from '../contract/meta/answerWords.ts'
import { impactOf, summaryOf } from '../contract/meta/impact.ts'
import { Dialog } from '../engine/Dialog.tsx'
import type { CaseTypeUsage } from './caseType.ts'
import { Differences } from './Differences.tsx'
import { Folded } from './Folded.tsx'
import { useNamed } from './useNamed.ts'
import type { Work } from './useWorkbench.ts'

/** What publishing means for whom, what looks like a mistake, and why it is done. */
export default function PublishDialog({ work, usage }: { work: Work; usage: CaseTypeUsage }): ReactElement {
  const { base, history, publishing } = work
  const { draft } = history
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const [note, setNote] = useState('')
  const tell = useCallback(
    (itemLabel: ItemLabel) => ({
      impacts: impactOf(base, draft, usage, itemLabel),
      advice: adviceOn(draft, itemLabel),
    }),
    [base, draft, usage],
  )
  const { impacts, advice } = useNamed(tell)
  const text = `Publish version ${base.version + 1}`
  return (
    <Dialog
      isOpen
      className="dialog constructor-publish"
      title={text}
      onClose={work.stopAsking}
      onOpened={() => box.current?.focus()}
    >
      <DialogBody>
        <p>{summaryOf(impacts, usage)}.</p>
        <Sentences title="What changes for records" sentences={impacts.map((one) => one.words)} />
        <Sentences title="Worth a look before you publish" sentences={advice.map((one) => one.message)} />
        <Folded
          summary={`Everything that differs from ${base.version > 0 ? `version ${base.version}` : 'nothing'}`}
        >
          <Differences before={base} after={draft} heads={['Published', 'New']} />
        </Folded>
        <label htmlFor={id}>Why (optional)</label>
        <p className="constructor-hint" id={`${id}-hint`}>
          Stands in the history of the case type.
        </p>
        <TextArea
          id={id}
          aria-describedby={`${id}-hint`}
          inputRef={box}
          fill
          maxLength={500}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={work.stopAsking} />
            <Button
              intent="primary"
              text={text}
              loading={publishing.busy}
              aria-busy={publishing.busy}
              onClick={() => void work.publish(note)}
            />
          </>
        }
      />
    </Dialog>
  )
}

function Sentences({ title, sentences }: { title: string; sentences: string[] }) {
  if (sentences.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul className="constructor-sentences">
        {[...new Set(sentences)].map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </>
  )
}
