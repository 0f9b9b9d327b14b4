import { Checkbox } from '@blueprintjs/core'
import { type ReactElement, useId } from 'react'
import { FIELD_TYPES, hasChoices, isEditable, isQuestion } from '../../contract/fieldTypes.ts'
import type { Field, FieldAttrs, FieldType } from '../../contract/generated.ts'
import { MAX_LABEL_LENGTH } from '../../contract/meta/formLimits.ts'
import { DEEPEST } from '../../contract/meta/places.ts'
import { capitalised } from '../../contract/quoted.ts'
import { FieldLink } from '../comments/FieldLink.tsx'
import { InsertableText } from '../controls/InsertableText.tsx'
import { Messages } from '../controls/Messages.tsx'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { type Address, itemAt } from '../state/address.ts'
import { type Draft, NO_DRAFT } from '../state/caseType.ts'
import { moveTo, setFieldAttrs, setLabel, setType } from '../state/edit.ts'
import { type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'
import { reservedNames, whyTypeFixedAt } from '../state/fieldUsage.ts'
import { canTake, changeType, typesFor } from '../state/takeAnswers.ts'
import { AnswerSettings } from './AnswerSettings.tsx'
import { CalculationSettings } from './CalculationSettings.tsx'
import { ChoiceSettings } from './ChoiceSettings.tsx'
import { ItemActions } from './ItemActions.tsx'
import { insertableAt } from './insertableAt.ts'
import { NoteSettings } from './NoteSettings.tsx'
import { StoredAs } from './StoredAs.tsx'
import { EnabledSetting, RequiredSetting, VisibleSetting } from './VisibleSetting.tsx'

const USES = [
  { key: 'report', title: 'Let people search cases by it' },
  { key: 'sensitive', title: 'Sensitive: leave it out of lists and exports' },
] as const
/** Only for fields of the case form, not for columns. */
const REFERRAL_USE = { key: 'referral', title: 'Ask in the public referral form' } as const

const BRACES =
  'The name of a field in braces stands for its answer; write {{ and }} for the braces themselves'

export function FieldSettings({ field, address }: { field: Field; address: Address }): ReactElement {
  const editorContext = useEditorContext()
  const { edit, errors } = editorContext
  const { help, when, calc } = field.attrs ?? {}
  const isNote = !isQuestion(field)
  const set: SetAttrs = (attrs, info) =>
    edit((groups) => setFieldAttrs(groups, address, attrs), { ...info, at: address })
  const insertable = insertableAt(editorContext, address, field)
  return (
    <>
      <StoredAs field={field} address={address} />
      <InsertableText
        label="Label"
        insertable={insertable}
        hint={field.label.includes('{') ? BRACES : undefined}
        long="wraps"
        maxLength={MAX_LABEL_LENGTH}
        value={field.label}
        messages={[...messagesAt(errors, address, 'label'), ...messagesAt(errors, address, 'name')]}
        onChange={(label) =>
          edit((groups) => setLabel(groups, address, label), { what: 'Label', at: address, typing: true })
        }
      />
      <InsertableText
        label="Help"
        insertable={insertable}
        hint="A sentence under the label; leave it empty where the label is enough"
        long
        maxLength={1000}
        value={help ?? ''}
        messages={messagesAt(errors, address, 'attrs.help')}
        onChange={(text) => set({ help: text || undefined }, { what: 'Help', typing: true })}
      />
      <EnabledSetting item={field} address={address} />
      <h3>Answer</h3>
      <TypeSetting field={field} address={address} />
      <CalculationSettings field={field} address={address} set={set} />
      {isNote && <NoteSettings field={field} address={address} set={set} />}
      {!calc && <AnswerSettings field={field} address={address} set={set} />}
      {calc === 'choose' && hasChoices(field) && <ChoiceSettings field={field} address={address} set={set} />}
      {!isNote && <HiddenSetting field={field} address={address} set={set} />}
      <h3>
        {isEditable(field)
          ? 'When it is asked'
          : field.attrs?.hidden
            ? 'When it has a value'
            : 'When it is shown'}
      </h3>
      {isEditable(field) && <RequiredSetting field={field} address={address} set={set} />}
      <VisibleSetting address={address} when={when} onChange={(next, info) => set({ when: next }, info)} />
      <h3>Place and use</h3>
      <GroupOfField address={address} />
      <UseSettings field={field} address={address} set={set} />
      {address.length === 2 && <Uses words={editorContext.usesOf(field)} />}
      <FieldLink address={address} />
      <ItemActions address={address} />
    </>
  )
}

/** Where a field is used outside of its form. */
function Uses({ words }: { words: string[] }): ReactElement | null {
  const id = useId()
  if (words.length === 0) return null
  return (
    <div className="constructor-setting">
      <p id={id} className="constructor-uses-title">
        Where it is used
      </p>
      <ul className="constructor-uses" aria-labelledby={id}>
        {words.map((one) => (
          <li key={one}>{capitalised(one)}</li>
        ))}
      </ul>
    </div>
  )
}

/** Moves a field to the end of another group. Columns stay in their repeat. */
function GroupOfField({ address }: { address: Address }): ReactElement | null {
  const { groups, edit, select, announce } = useEditorContext()
  if (address.length !== 2) return null
  const move = (name: string | undefined) => {
    const group = groups.find((g) => g.name === name)
    if (!group || name === address[0]) return
    const placed = moveTo(groups, address, [group.name], group.fields.length)
    edit(() => placed.groups, { what: 'Moved', at: placed.address })
    select({ address: placed.address, focus: true })
    announce(`${itemAt(groups, address)?.label} moved to the end of ${group.label}`)
  }
  return (
    <SelectSetting
      label="Group"
      value={address[0]}
      choices={groups.map(({ name, label }) => ({ value: name, label }))}
      onChange={move}
    />
  )
}

/** Attributes that do not apply to a hidden field. */
const NOT_HIDDEN = {
  required: undefined,
  required_when: undefined,
  required_text: undefined,
  rules: undefined,
  pattern: undefined,
  checks: undefined,
  referral: undefined,
} satisfies FieldAttrs

/** Checkbox that hides a field from everybody. */
function HiddenSetting(props: { field: Field; address: Address; set: SetAttrs }): ReactElement {
  const { field, address, set } = props
  const { errors } = useEditorContext()
  return (
    <div className="constructor-setting">
      <Checkbox
        label="Hidden: nobody sees it; its default or calculation is stored"
        checked={field.attrs?.hidden === true}
        onChange={(event) =>
          set(event.currentTarget.checked ? { ...NOT_HIDDEN, hidden: true } : { hidden: undefined }, {
            what: 'Hidden',
          })
        }
      />
      <Messages messages={messagesAt(errors, address, 'attrs.hidden')} />
    </div>
  )
}

/** Checkboxes for case search, exclusion from lists and exports, and the public referral form. */
function UseSettings(props: { field: Field; address: Address; set: SetAttrs }): ReactElement {
  const { field, address, set } = props
  const { meta, errors } = useEditorContext()
  const isNote = !isQuestion(field)
  const isOfCase = meta === 'case_meta' && address.length === 2
  const uses = [...(isNote ? [] : USES), ...(isOfCase || field.attrs?.referral ? [REFERRAL_USE] : [])]
  return (
    <div className="constructor-setting">
      {uses.map(({ key, title }) => (
        <Checkbox
          key={key}
          label={title}
          checked={field.attrs?.[key] === true}
          onChange={(event) => set({ [key]: event.currentTarget.checked || undefined }, { what: 'Use' })}
        />
      ))}
      <Messages messages={messagesAt(errors, address, 'attrs.referral')} />
    </div>
  )
}

const TAKES = 'Its answers come along: before it is published you see what becomes of them'

/** The type of a field; read-only with a reason if it may not change. */
function TypeSetting({ field, address }: { field: Field; address: Address }): ReactElement {
  const editorContext = useEditorContext()
  const { meta, before, groups, editDraft, select } = editorContext
  const fixed = whyTypeFixedAt(editorContext, address)
  const takes =
    canTake(editorContext, field, address) && (fixed !== undefined || field.attrs?.takes !== undefined)
  const why = takes ? undefined : fixed
  const messages = [
    ...messagesAt(editorContext.errors, address, 'type'),
    ...messagesAt(editorContext.errors, address, 'fields'),
  ]
  if (why) {
    return (
      <div className="constructor-setting">
        <p className="constructor-fixed">
          <strong>Type</strong> {FIELD_TYPES[field.type].title}
        </p>
        <p className="constructor-hint">{why}.</p>
        <Messages messages={messages} />
      </div>
    )
  }
  const convertible = takes ? typesFor(field, before) : undefined
  const types = Object.entries(FIELD_TYPES).filter(
    ([type, { holdsRows }]) =>
      (!holdsRows || address.length <= DEEPEST + 1) && (convertible?.includes(type as FieldType) ?? true),
  )
  const set = (type: FieldType) => {
    if (!takes) return editorContext.edit((all) => setType(all, address, type), { what: 'Type', at: address })
    const change = (draft: Draft) =>
      changeType(draft, { meta, before }, address, type, reservedNames(editorContext))
    const placed = change({ ...NO_DRAFT, [meta]: groups })
    editDraft((draft) => change(draft).draft, { what: 'Type', at: placed.address })
    select({ address: placed.address, focus: true })
  }
  return (
    <SelectSetting
      label="Type"
      hint={takes ? TAKES : undefined}
      value={field.type}
      choices={types.map(([value, { title, about }]) => ({
        value: value as FieldType,
        label: `${title} – ${about[0].toLowerCase()}${about.slice(1)}`,
      }))}
      messages={messages}
      onChange={(type) => type && set(type)}
    />
  )
}
