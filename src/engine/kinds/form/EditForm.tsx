import { Button, Callout, Classes } from '@blueprintjs/core'
import { useRef, useState } from 'react'
import { WaitingNote } from '../../core/WaitingNote.tsx'
import { ConflictPanel } from '../../form/ConflictPanel.tsx'
import { UnsavedGuard } from '../../form/drafts/UnsavedGuard.tsx'
import { FieldLink } from '../../form/ErrorSummary.tsx'
import { FormView } from '../../form/FormView.tsx'
import type { FormHandle } from '../../form/store/formStore.ts'
import { join } from '../../form/store/paths.ts'
import type { FormSection } from '../../form/store/sections.ts'
import { HiddenAnswers } from './HiddenAnswers.tsx'
import { MetaChangedNotice } from './MetaChangedNotice.tsx'
import { SeenAnswers } from './SeenAnswers.tsx'
import { type RecordProps, useEditing } from './useEditing.ts'

/** The form of a record, read-only for users who may not save it. */
export function EditForm(props: RecordProps) {
  const { screen, record, withs } = props
  const form = useRef<FormHandle>(null)
  const editing = useEditing(props, form)
  const { idPrefix, sections, initial, conditionContext, save, unsavedChanges, answers, invalid } = editing
  const [isDirty, setDirty] = useState(false)

  if (!editing.maySave)
    return (
      <>
        <FormView
          ref={form}
          sections={sections}
          initial={initial}
          conditionContext={conditionContext}
          readOnly
          isStored
        />
        <HiddenAnswers screen={screen} record={record} mayRemove={false} />
        <SeenAnswers {...{ screen, record, conditionContext }} mayTake={false} />
      </>
    )
  const putBack = (values: Parameters<FormHandle['merge']>[0]) => {
    form.current?.merge(values)
    setDirty(true)
  }
  return (
    <>
      {save.conflict && (
        <ConflictPanel
          conflict={save.conflict}
          sections={sections}
          conditionContext={conditionContext}
          isBusy={save.isBusy}
          onResolve={save.resolveConflict}
        />
      )}
      <UnsavedOffer unsavedChanges={unsavedChanges} onPutBack={putBack} />
      {answers && <InvalidAnswers {...{ sections, idPrefix }} names={invalid} at={answers} />}
      <FormView
        ref={form}
        idPrefix={idPrefix}
        folds={screen.route}
        sections={sections}
        initial={initial}
        conditionContext={conditionContext}
        isStored
        onChange={() => setDirty(save.isDocumentDirty())}
      />
      <HiddenAnswers screen={screen} record={record} mayRemove />
      <SeenAnswers {...{ screen, record, conditionContext }} mayTake={!isDirty} />
      <div className="form-bar">
        <MetaChangedNotice groups={screen.groups} values={withs.values} saved={record.version} form={form} />
        <Button
          intent="primary"
          text="Save"
          loading={save.isBusy}
          aria-busy={save.isBusy}
          onClick={save.save}
        />
        <WaitingNote save={save.waiting} />
        <span role="status">{isDirty && save.isDocumentDirty() ? 'Not saved yet' : ''}</span>
      </div>
      <UnsavedGuard when={save.isDirty} onLeave={unsavedChanges.discard} />
    </>
  )
}

type UnsavedChanges = ReturnType<typeof useEditing>['unsavedChanges']

/** Offers to restore changes that were not saved, such as when the session ended. */
export function UnsavedOffer({
  unsavedChanges,
  onPutBack,
}: {
  unsavedChanges: UnsavedChanges
  onPutBack: (values: NonNullable<UnsavedChanges['offered']>) => void
}) {
  const { offered, dismiss } = unsavedChanges
  if (!offered) return null
  return (
    <Callout className="form-note" compact>
      <h2 className={Classes.HEADING}>What you typed here before was not saved</h2>
      <Button
        text="Put it back"
        onClick={() => {
          onPutBack(offered)
          dismiss()
        }}
      />
      <Button variant="minimal" text="Discard it" onClick={dismiss} />
    </Callout>
  )
}

interface InvalidAnswersProps {
  /** Names of answers that were missing or invalid at the last validation of the record. */
  names: string[]
  /** Path of the answers in the document. */
  at: string
  sections: FormSection[]
  idPrefix: string
}

/** Lists the missing and invalid answers of a stored record, with links to them. */
function InvalidAnswers({ names, at, sections, idPrefix }: InvalidAnswersProps) {
  const fields = sections
    .filter((section) => section.at === at)
    .flatMap(({ groups }) => groups.flatMap((g) => g.fields))
    .filter(({ name }) => names.includes(name))
  if (fields.length === 0) return null
  return (
    <div className="form-note invalid-answers">
      <p>Missing or wrong in the current form:</p>
      <ul>
        {fields.map(({ name, label }) => (
          <li key={name}>
            <FieldLink id={join(idPrefix, join(at, name))}>{label}</FieldLink>
          </li>
        ))}
      </ul>
    </div>
  )
}
