import { Button, DialogBody, DialogFooter, TextArea } from '@blueprintjs/core'
import { type ReactElement, useCallback, useId, useMemo, useRef, useState } from 'react'
import { lostUses } from '../../contract/caseType/fieldUses.ts'
import { runFormTests } from '../../contract/caseType/runFormTest.ts'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import type { ItemStatus } from '../../contract/meta/unavailableItems.ts'
import { pluralise } from '../../contract/pluralise.ts'
import { Dialog } from '../../engine/core/Dialog.tsx'
import { useItemLabels } from '../../engine/core/useItemLabels.ts'
import { automationAdvice } from '../automations/automationAdvice.ts'
import { deadlineAdvice } from '../automations/deadlineAdvice.ts'
import { Disclosure } from '../controls/Disclosure.tsx'
import { adviceOn } from '../forms/advice.ts'
import { impactOf, summaryOf } from '../forms/impact.ts'
import { type CaseTypeUsage, type Draft, FORMS } from '../state/caseType.ts'
import { movesIn } from '../state/takeAnswers.ts'
import type { EditorState } from '../state/useEditor.ts'
import type { DecidedAnswer } from '../state/usePublishing.ts'
import { useTestDeps } from '../tests/useTestResults.ts'
import { AutomationImpact } from './AutomationImpact.tsx'
import { Differences } from './Differences.tsx'
import { FailingTests } from './FailingTests.tsx'
import { Migration } from './Migration.tsx'
import { usageByNewNames, withNewNames } from './newNames.ts'
import { useDryRun } from './useDryRun.ts'

/**
 * Confirms a publication: shows its impact and advice, and asks for a note. If tests fail, publishing needs a reason,
 * and its button says so.
 */
export default function PublishDialog({
  editor,
  usage,
}: {
  editor: EditorState
  usage: CaseTypeUsage
}): ReactElement {
  const { base, history, publishing } = editor
  const { draft } = history
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const [note, setNote] = useState('')
  const moves = useMemo(() => (base.version > 0 ? movesIn(base, draft) : []), [base, draft])
  const published = useMemo(() => withNewNames(base, draft), [base, draft])
  const counted = useMemo(() => usageByNewNames(usage, moves), [usage, moves])
  const dryRun = useDryRun(base.id, draft, moves.length > 0)
  const [decided, setDecided] = useState<DecidedAnswer[]>([])
  const describe = useCallback(
    (itemLabel: ItemLabel, itemStatus: ItemStatus) => ({
      impacts: base.version > 0 ? impactOf(published, draft, counted, itemLabel) : [],
      advice: [
        ...adviceOn(draft, itemLabel, itemStatus).map((one) => one.message),
        ...automationAdvice(draft),
        ...deadlineAdvice(draft, itemLabel, itemStatus),
      ],
    }),
    [base.version, published, draft, counted],
  )
  const { impacts, advice } = useItemLabels(describe)
  const lost = useMemo(
    () => (base.version > 0 ? lostUses(published, draft, counted.uses) : []),
    [base.version, published, draft, counted],
  )
  const deps = useTestDeps(base.service, draft, editor.calendars)
  const failing = useMemo(
    () => [...runFormTests(draft, draft.tests, deps)].filter(({ differences }) => differences.length > 0),
    [draft, deps],
  )
  const reasonBox = useRef<HTMLTextAreaElement>(null)
  const migrationBox = useRef<HTMLElement>(null)
  const [reason, setReason] = useState('')
  const [isReasonMissing, setReasonMissing] = useState(false)
  const [firing, setFiring] = useState(editor.firing)
  const eventsBox = useRef<HTMLInputElement>(null)
  const hasDefinitions = [draft, base].some(
    ({ automations = [], deadlines = [] }) => automations.length + deadlines.length > 0,
  )
  const publish = () => {
    const isMissing = failing.length > 0 && !reason.trim()
    setReasonMissing(isMissing)
    if (isMissing) reasonBox.current?.focus()
    else void editor.publish({ note, anyway: failing.length > 0 ? reason.trim() : '', firing, decided })
  }
  const chosen = editor.firing.length > 0 ? eventsBox : box
  const first = failing.length > 0 ? reasonBox : moves.length > 0 ? migrationBox : chosen
  const title = `Publish version ${base.version + 1}`
  const answers = dryRun.run?.answers ?? 0
  const publishText = answers > 0 ? `Publish and move ${pluralise(answers, 'answer')}` : title
  return (
    <Dialog
      isOpen
      className="dialog constructor-publish"
      title={title}
      onClose={editor.cancelPublish}
      onOpened={() => (first.current ?? box.current)?.focus()}
    >
      <DialogBody>
        <p>{base.version > 0 ? `${summaryOf(impacts, usage)}.` : firstWords(draft)}</p>
        {moves.length > 0 && (
          <Migration
            {...{ editor, usage, moves, ...dryRun, decided }}
            onDecide={setDecided}
            sectionRef={migrationBox}
          />
        )}
        <Sentences title="What changes for records" sentences={impacts.map((one) => one.words)} />
        {base.version > 0 && hasDefinitions && (
          <AutomationImpact {...{ base, draft, firing }} inputRef={eventsBox} onFiring={setFiring} />
        )}
        <Sentences title="What uses the fields that go" sentences={lost} />
        <Sentences title="Worth a look before you publish" sentences={advice} />
        {failing.length > 0 && (
          <FailingTests
            {...{ failing, draft, deps, reason }}
            inputRef={reasonBox}
            onReason={setReason}
            messages={isReasonMissing ? ['Say why it is published although a test fails'] : []}
          />
        )}
        {base.version > 0 && (
          <Disclosure summary={`Everything that differs from version ${base.version}`}>
            <Differences before={base} after={draft} heads={['Published', 'New']} />
          </Disclosure>
        )}
        <label htmlFor={id}>Why (optional)</label>
        <p className="constructor-hint" id={`${id}-hint`}>
          Appears in the history of the case type.
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
            <Button text="Cancel" onClick={editor.cancelPublish} />
            <Button
              intent={failing.length > 0 ? 'danger' : 'primary'}
              text={failing.length > 0 ? 'Publish anyway' : publishText}
              loading={publishing.busy}
              disabled={moves.length > 0 && !dryRun.run}
              aria-busy={publishing.busy}
              onClick={publish}
            />
          </>
        }
      />
    </Dialog>
  )
}

/** Summary of a first version, which has no records to affect yet. */
function firstWords(draft: Draft): string {
  const forms = FORMS.map(({ meta, title }) => {
    const [groups, fields] = [draft[meta].length, draft[meta].flatMap((g) => g.fields).length]
    if (groups === 0) return `the ${title.toLowerCase()} is empty`
    return `the ${title.toLowerCase()} has ${pluralise(groups, 'group')} with ${pluralise(fields, 'field')}`
  })
  return `This is its first version: ${forms.join(', ')}. With it staff can begin cases of “${draft.label.trim()}”.`
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
