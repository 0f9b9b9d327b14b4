import { Button, Callout } from '@blueprintjs/core'
import { useId, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { allows } from '../../contract/access.ts'
import type { FormScreen } from '../../contract/generated.ts'
import type { ConditionContext, Values } from '../../contract/when.ts'
import { UnsavedGuard } from '../drafts/UnsavedGuard.tsx'
import { useUnsavedChanges } from '../drafts/useUnsavedChanges.ts'
import { useContract } from '../runtime/contract.ts'
import { entityOf } from '../runtime/entityOf.ts'
import { useUser } from '../runtime/user.ts'
import { useSaveShortcut } from '../runtime/useSaveShortcut.ts'
import type { WithValues } from '../runtime/useWith.ts'
import { ConflictPanel } from './ConflictPanel.tsx'
import { FieldLink } from './ErrorSummary.tsx'
import { FormView } from './FormView.tsx'
import { MetaChangedNotice } from './MetaChangedNotice.tsx'
import { join } from './paths.ts'
import { requestedVersions } from './requestedVersions.ts'
import { type FormSection, resolveSections } from './sections.ts'
import type { FormHandle } from './store.ts'
import { useSave } from './useSave.ts'

interface Props {
  screen: FormScreen
  /** As read last. */
  record: Values
  withs: WithValues
  params: Values
}

/** The form of one record: shown to those who may not save it, asked of those who may. */
export function EditForm({ screen, record, withs, params }: Props) {
  const contract = useContract()
  const user = useUser()
  const [search] = useSearchParams()
  const form = useRef<FormHandle>(null)
  const idPrefix = useId()
  const query = useMemo(() => ({ ...Object.fromEntries(search), ...params }), [search, params])
  const conditionContext = useMemo<ConditionContext>(
    () => ({ record, with: withs.values, user, query }),
    [record, withs.values, user, query],
  )
  const metaRecord = screen.groups.some(({ from }) => from?.startsWith('record.')) ? record : undefined
  const entity = entityOf(contract, screen.read!)
  const sections = useMemo(() => {
    const conditionContext = { with: withs.values, record: metaRecord, user }
    return resolveSections(contract, screen.groups, entity.$id, conditionContext, 'update')
  }, [contract, screen, entity, withs.values, metaRecord, user])
  const answers = Object.keys(entity.properties).find((name) => entity.properties[name].meta)
  const [initial] = useState(record)
  const mayNotSave =
    !screen.save || !allows(contract.roles, contract.endpoints[screen.save].roles, user.groups)
  const asked = requestedVersions(screen.groups, screen.with, withs.values)
  const save = useSave({ screen, form, record, initial, params, sections, asked })
  const unsavedChanges = useUnsavedChanges(mayNotSave ? () => ({}) : save.changes)
  const [isDirty, setDirty] = useState(false)
  useSaveShortcut(mayNotSave ? undefined : save.save)

  if (mayNotSave)
    return (
      <FormView
        ref={form}
        sections={sections}
        initial={initial}
        conditionContext={conditionContext}
        readOnly
        isStored
      />
    )
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
      {unsavedChanges.offered && (
        <Callout className="form-note" title="What you typed here before was not saved" compact>
          <Button
            text="Put it back"
            onClick={() => {
              form.current?.merge(unsavedChanges.offered!)
              setDirty(true)
              unsavedChanges.dismiss()
            }}
          />
          <Button variant="minimal" text="Leave it" onClick={unsavedChanges.dismiss} />
        </Callout>
      )}
      {answers && (
        <InvalidAnswers
          {...{ sections, idPrefix }}
          names={(record.invalid_fields ?? []) as string[]}
          at={answers}
        />
      )}
      <FormView
        ref={form}
        idPrefix={idPrefix}
        sections={sections}
        initial={initial}
        conditionContext={conditionContext}
        isStored
        onChange={() => setDirty(save.isDocumentDirty())}
      />
      <div className="form-bar">
        <MetaChangedNotice groups={screen.groups} values={withs.values} saved={record.version} form={form} />
        <Button
          intent="primary"
          text="Save"
          loading={save.isBusy}
          aria-busy={save.isBusy}
          onClick={save.save}
        />
        <span role="status">{isDirty && save.isDocumentDirty() ? 'Not saved yet' : ''}</span>
      </div>
      <UnsavedGuard when={save.isDirty} onLeave={unsavedChanges.discard} />
    </>
  )
}

interface InvalidAnswersProps {
  /** Names of answers, as the record was validated last. */
  names: string[]
  /** Where the answers stand in the document. */
  at: string
  sections: FormSection[]
  idPrefix: string
}

/** Names the answers of a stored record that are missing or wrong by its form, with links to them. */
function InvalidAnswers({ names, at, sections, idPrefix }: InvalidAnswersProps) {
  const fields = sections
    .filter((section) => section.at === at)
    .flatMap(({ groups }) => groups.flatMap((g) => g.fields))
    .filter(({ name }) => names.includes(name))
  if (fields.length === 0) return null
  return (
    <div className="form-note invalid-answers">
      <p>Missing or wrong by the form of today:</p>
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
