import { Checkbox } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import { decimalFormatOf } from '../../contract/decimal.ts'
import { CURRENCIES, symbolOf } from '../../contract/decimalFormat.ts'
import { FIELD_TYPES, hasPoints, holdsRows } from '../../contract/fieldTypes.ts'
import { FILE_KINDS, type FileKind } from '../../contract/fileKinds.ts'
import type { Field } from '../../contract/generated.ts'
import { endsOf } from '../../contract/scale.ts'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'
import type { Address } from '../state/address.ts'
import { type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'
import { CheckSettings } from './CheckSettings.tsx'
import { ChoiceSettings } from './ChoiceSettings.tsx'
import { DefaultSetting } from './DefaultSetting.tsx'
import { RowSettings } from './RowSettings.tsx'
import { RuleSettings } from './RuleSettings.tsx'

const KINDS = Object.keys(FILE_KINDS) as FileKind[]

const TITLES = {
  min: 'At least',
  max: 'At most',
  max_length: 'Most characters',
  max_words: 'Most words',
  max_size: 'Most megabytes',
}
const OF_ROWS = { min: 'Fewest rows', max: 'Most rows' }
const { least, most } = endsOf()
const OF_SCALE = { min: 'Begins at', max: 'Ends at' }

/** Settings of the answers that a field accepts, as its type allows. */
export function AnswerSettings(props: { field: Field; address: Address; set: SetAttrs }): ReactElement {
  const { attrs = [] } = FIELD_TYPES[props.field.type]
  const isHidden = props.field.attrs?.hidden === true
  return (
    <>
      {attrs.includes('options') && <ChoiceSettings {...props} />}
      <AmountSettings {...props} />
      <LimitSettings {...props} />
      {attrs.includes('rows_from') && <RowSettings {...props} />}
      {attrs.includes('min_text') && <ScaleWords {...props} />}
      {attrs.includes('accept') && <KindSettings {...props} />}
      {attrs.includes('rules') && !isHidden && <RuleSettings {...props} />}
      <DefaultSetting {...props} />
      {!isHidden && <CheckSettings {...props} />}
    </>
  )
}

const PLACES = [0, 1, 2, 3, 4, 5, 6].map((value) => ({ value, label: String(value) }))
const CURRENCY_CHOICES = CURRENCIES.map((value) => ({
  value,
  label: `${value} (${symbolOf(value)})`,
}))

/** Settings of decimal places, unit and currency, and of the 'Not known' option of a yes/no question. */
function AmountSettings(props: { field: Field; address: Address; set: SetAttrs }): ReactElement {
  const { field, address, set } = props
  const { errors } = useEditorContext()
  const known = FIELD_TYPES[field.type].attrs ?? []
  return (
    <>
      {known.includes('known_only') && (
        <Checkbox
          label="Only Yes and No: ‘Not known’ is not offered"
          checked={field.attrs?.known_only === true}
          onChange={(event) =>
            set({ known_only: event.currentTarget.checked || undefined }, { what: 'Not known' })
          }
        />
      )}
      {known.includes('places') && (
        <SelectSetting
          label="Decimal places"
          value={decimalFormatOf(field)?.places}
          choices={PLACES}
          messages={messagesAt(errors, address, 'attrs.places')}
          onChange={(places) => set({ places }, { what: 'Decimal places' })}
        />
      )}
      {known.includes('unit') && (
        <TextSetting
          label="Unit"
          hint="Shown after the box, such as kg or %"
          maxLength={20}
          value={field.attrs?.unit ?? ''}
          messages={messagesAt(errors, address, 'attrs.unit')}
          onChange={(text) => set({ unit: text || undefined }, { what: 'Unit', typing: true })}
        />
      )}
      {known.includes('currency') && (
        <SelectSetting
          label="Currency"
          value={decimalFormatOf(field)?.currency}
          choices={CURRENCY_CHOICES}
          messages={messagesAt(errors, address, 'attrs.currency')}
          onChange={(currency) => set({ currency }, { what: 'Currency' })}
        />
      )}
    </>
  )
}

/** The limits that the field's type supports; an empty box sets none. */
function LimitSettings(props: { field: Field; address: Address; set: SetAttrs }): ReactElement {
  const { field, address, set } = props
  const { errors } = useEditorContext()
  const known = FIELD_TYPES[field.type].attrs ?? []
  const keys = (['min', 'max', 'max_length', 'max_words', 'max_size'] as const).filter((key) =>
    known.includes(key),
  )
  const isScale = hasPoints(field)
  const titles = { ...TITLES, ...(holdsRows(field) && OF_ROWS), ...(isScale && OF_SCALE) }
  return (
    <div className="constructor-limits">
      {keys.map((key) => (
        <TextSetting
          key={key}
          label={titles[key]}
          hint={isScale ? `Empty: ${key === 'min' ? least : most}` : undefined}
          type="number"
          value={String(field.attrs?.[key] ?? '')}
          messages={messagesAt(errors, address, `attrs.${key}`)}
          onChange={(text) => {
            const limit = text === '' ? undefined : Number(text)
            set({ [key]: limit }, { what: titles[key], typing: true })
          }}
        />
      ))}
    </div>
  )
}

const SCALE_WORDS = { min_text: 'What the first number means', max_text: 'What the last number means' }

/** Labels of both ends of a scale. */
function ScaleWords({
  field,
  address,
  set,
}: {
  field: Field
  address: Address
  set: SetAttrs
}): ReactElement[] {
  const { errors } = useEditorContext()
  return (['min_text', 'max_text'] as const).map((key) => (
    <TextSetting
      key={key}
      label={SCALE_WORDS[key]}
      maxLength={60}
      value={field.attrs?.[key] ?? ''}
      messages={messagesAt(errors, address, `attrs.${key}`)}
      onChange={(text) => set({ [key]: text || undefined }, { what: SCALE_WORDS[key], typing: true })}
    />
  ))
}

/** Accepted kinds of file; without a selection all are accepted. */
function KindSettings({ field, set }: { field: Field; set: SetAttrs }): ReactElement {
  const accept = field.attrs?.accept ?? []
  const turn = (kind: FileKind, on: boolean) => {
    const next = KINDS.filter((one) => (one === kind ? on : accept.includes(one)))
    set({ accept: next.length > 0 ? next : undefined }, { what: 'Kinds of file' })
  }
  return (
    <fieldset className="constructor-setting">
      <legend>Kinds of file</legend>
      <p className="constructor-hint">Choose none to take all of them</p>
      {KINDS.map((kind) => (
        <Checkbox
          key={kind}
          label={FILE_KINDS[kind].title.replace(/^an? (.)/, (_, first) => first.toUpperCase())}
          checked={accept.includes(kind)}
          onChange={(event) => turn(kind, event.currentTarget.checked)}
        />
      ))}
    </fieldset>
  )
}
