import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactElement, useMemo, useState } from 'react'
import type { Group } from '../../contract/generated.ts'
import { isMatrix } from '../../contract/matrix.ts'
import { costProblems } from '../../contract/meta/formCost.ts'
import { limitExceeded } from '../../contract/meta/formLimits.ts'
import { pluralise } from '../../contract/pluralise.ts'
import { Busy } from '../../engine/core/Busy.tsx'
import { useRead } from '../../engine/core/calls.ts'
import { Dialog } from '../../engine/core/Dialog.tsx'
import { ErrorCard } from '../../engine/core/ErrorCard.tsx'
import { useLookup } from '../../engine/core/lookups.ts'
import { focusBody } from '../controls/focusBody.ts'
import { Messages } from '../controls/Messages.tsx'
import { RadioSetting, SelectSetting } from '../controls/SelectSetting.tsx'
import { type CaseType, FORMS } from '../state/caseType.ts'
import { reservedNames } from '../state/fieldUsage.ts'
import type { EditorState } from '../state/useEditor.ts'
import { ChosenReferences } from './ChosenReferences.tsx'
import { copyFields } from './copyFields.ts'
import { FieldChoices } from './FieldChoices.tsx'

interface Props {
  editor: EditorState
  onClose: () => void
}

const NONE: ReadonlySet<string> = new Set()

/** Why a form cannot grow to another one; undefined if it can. */
function whyTooLarge(before: Group[], after: Group[]): string | undefined {
  return limitExceeded(before, after) ?? costProblems(after).at(0)?.message
}

/** Copies fields of another case type into the form that is edited, as one step of undo. */
export default function CopyFieldsDialog({ editor, onClose }: Props): ReactElement {
  const { editorContext, base } = editor
  const { meta, groups: into } = editorContext
  const [caseType, setCaseType] = useState<number>()
  const [form, setForm] = useState(meta)
  const [chosen, setChosen] = useState(NONE)
  const [group, setGroup] = useState<string>()
  const types = useLookup('case_type')
  const { data, error, refetch } = useRead<CaseType>(caseType === undefined ? undefined : 'caseTypes.read', {
    params: { id: String(caseType) },
  })
  const source = data?.[form]
  const copied = useMemo(
    () =>
      source &&
      copyFields({
        source,
        chosen,
        into,
        group,
        taken: (type) => reservedNames(editorContext, type),
      }),
    [source, chosen, into, group, editorContext],
  )
  const full = useMemo(
    () => (copied && chosen.size > 0 ? whyTooLarge(into, copied.groups) : undefined),
    [copied, chosen, into],
  )
  const title = FORMS.find((one) => one.meta === meta)!.title
  const copy = () => {
    const { groups, addresses } = copied!
    const words = `${pluralise(addresses.length, 'field')} copied from ${data!.label} into the ${title.toLowerCase()}`
    editor.replaceParts({ [meta]: groups }, 'Copied fields', words)
    editorContext.select({ address: addresses[0], focus: true })
    onClose()
  }
  return (
    <Dialog
      isOpen
      className="dialog constructor-history constructor-dialog"
      title={`Copy fields into the ${title.toLowerCase()}`}
      onClose={onClose}
      onOpened={focusBody}
    >
      <DialogBody>
        <SelectSetting
          label="From the case type"
          value={caseType}
          none="Choose a case type…"
          choices={(types ?? [])
            .filter(({ value }) => value !== base.id)
            .map(({ value, label }) => ({ value: Number(value), label }))}
          onChange={(id) => {
            setCaseType(id)
            setChosen(NONE)
          }}
        />
        {error && !data && <ErrorCard error={error} onRetry={() => void refetch()} />}
        {caseType !== undefined && !data && !error && <Busy />}
        {source && (
          <>
            <RadioSetting
              label="Its form"
              value={form}
              choices={FORMS.map((one) => ({ value: one.meta, label: one.title }))}
              onChange={(next) => {
                setForm(next)
                setChosen(NONE)
              }}
            />
            <FieldChoices key={`${caseType} ${form}`} groups={source} chosen={chosen} onChange={setChosen} />
            <ChosenReferences
              source={source}
              into={into}
              outside={editorContext.outside}
              chosen={chosen}
              onChange={(next, words) => {
                setChosen(next)
                editor.announce(words)
              }}
            />
            <SelectSetting
              label="Where they go"
              value={group}
              none="Into groups of their own, at the end"
              choices={into
                .filter((one) => !isMatrix(one))
                .map(({ name, label }) => ({ value: name, label: `Into ${label}` }))}
              onChange={setGroup}
            />
          </>
        )}
        <Messages messages={full ? [full] : []} />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={onClose} />
            <Button
              intent="primary"
              text={chosen.size > 0 ? `Copy ${pluralise(chosen.size, 'field')}` : 'Copy'}
              disabled={chosen.size === 0 || full !== undefined}
              onClick={copy}
            />
          </>
        }
      />
    </Dialog>
  )
}
