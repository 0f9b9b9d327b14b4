import { Button } from '@blueprintjs/core'
import { type ComponentType, type ReactNode, useMemo, useState } from 'react'
import { FIELD_TYPES } from '../../../contract/fieldTypes.ts'
import { relativeDay, relativeLabel } from '../../../contract/relativeDay.ts'
import { isSet } from '../../../contract/when.ts'
import { parseDuration } from '../../cells/durationFormat.ts'
import type { Item } from '../../core/lookups.ts'
import { today } from '../../core/today.ts'
import type { PresetField } from '../store/sections.ts'
import { type Choices, withChoices } from './choices.ts'
import { DateInput } from './DateInput.tsx'
import { DURATION } from './Duration.tsx'
import { Select } from './Select.tsx'
import { TextInput } from './TextInput.tsx'
import { describedBy, type FieldWidgetProps, fieldOf, useGroupBlur } from './widgetProps.ts'

/** Minimum number of choices that are buttons if the screen lists some by value. */
const MIN_BUTTONS = 6

interface Preset {
  value: unknown
  label: string
}

/** The widget of a field with preset buttons, by its type; undefined if it has none. */
export function presetWidget({ type, preset }: PresetField): ComponentType<FieldWidgetProps> | undefined {
  if (preset === undefined || preset === 'only') return undefined
  const { presets } = FIELD_TYPES[type]
  return presets && PRESETS[presets]
}

function DurationPresets(props: FieldWidgetProps) {
  const presets = textsOf(props).map((label) => ({ value: parseDuration(label), label }))
  const isPreset = presets.some(({ value }) => value === props.value)
  return (
    <Buttons props={props} presets={presets}>
      <span className={isPreset ? 'preset-box' : 'preset-box preset-used'}>
        <TextInput
          props={{ ...props, id: `${props.id}-box`, rawErrors: undefined }}
          format={DURATION}
          input={{
            'aria-label': `${props.label}, hours and minutes`,
            'aria-describedby': describedBy(
              props.id,
              fieldOf(props.options)!,
              Boolean(props.rawErrors?.length),
            ),
            'aria-invalid': Boolean(props.rawErrors?.length) || undefined,
            inputMode: 'numeric',
            placeholder: 'hh:mm',
          }}
        />
      </span>
    </Buttons>
  )
}

function DayPresets(props: FieldWidgetProps) {
  const now = today()
  const presets = textsOf(props).map((text) => ({
    value: relativeDay(text, now),
    label: relativeLabel(text),
  }))
  return (
    <Buttons props={props} presets={presets} other="Pick a day…">
      <DateInput {...useInner(props)} />
    </Buttons>
  )
}

const ChoicePresets = withChoices(({ props, choices }) => {
  // The initial value, such as the type of the last action, is a button too.
  const [first] = useState(props.value)
  return (
    <Buttons props={props} presets={choicesOf(props, choices, first)} other="Other…">
      <Select {...useInner(props)} />
    </Buttons>
  )
})

const PRESETS = { durations: DurationPresets, days: DayPresets, choices: ChoicePresets }

/**
 * The choices that are buttons: those that the screen lists, then the first of the others; all if only one would be
 * left.
 */
function choicesOf({ options }: FieldWidgetProps, { items = [] }: Choices, first: unknown): Preset[] {
  const { preset } = fieldOf(options) as PresetField
  const values = Array.isArray(preset) ? [...preset, first] : [first]
  const named = items.filter(({ value }) => values.includes(value))
  const most = typeof preset === 'number' ? preset : Math.max(named.length, MIN_BUTTONS)
  const count = items.length - most === 1 ? items.length : most
  const rest = items.filter((item: Item) => !named.includes(item)).slice(0, count - named.length)
  return items
    .filter((item) => named.includes(item) || rest.includes(item))
    .map(({ value, label }) => ({ value, label }))
}

const textsOf = ({ options }: FieldWidgetProps) => {
  const { preset } = fieldOf(options) as PresetField
  return Array.isArray(preset) ? preset.map(String) : []
}

/** Props of the control behind the last button: the field's own, without the hint that stands above the buttons. */
function useInner(props: FieldWidgetProps): FieldWidgetProps {
  const field = fieldOf(props.options)!
  const options = useMemo(() => ({ spec: { ...field, attrs: { ...field.attrs, help: undefined } } }), [field])
  return { ...props, id: `${props.id}-other`, options, rawErrors: undefined }
}

/**
 * Radio buttons styled as buttons, so that arrow keys move among them and Tab leaves them. With `other`, the last of
 * them shows the control for any other value; without, the control is beside them.
 */
function Buttons({
  props,
  presets,
  other,
  children,
}: {
  props: FieldWidgetProps
  presets: Preset[]
  other?: string
  children: ReactNode
}) {
  const { id, value, required, label, onChange } = props
  const [isOther, setOther] = useState(false)
  const onBlur = useGroupBlur(props)
  const pressed = isOther ? undefined : presets.find((preset) => isSet(value) && preset.value === value)
  const showsOther = other !== undefined && !pressed && (isOther || isSet(value))
  const button = (text: string, checked: boolean, onPress: () => void) => (
    <label key={text} className="preset">
      <input type="radio" name={id} checked={checked} onChange={onPress} onBlur={onBlur} />
      <span>{text}</span>
    </label>
  )
  return (
    <div className="presets">
      {presets.map((preset) =>
        button(preset.label, preset === pressed, () => {
          setOther(false)
          onChange(preset.value)
        }),
      )}
      {other !== undefined && button(other, showsOther, () => setOther(true))}
      {other === undefined && children}
      {isSet(value) && !required && (
        <Button
          variant="minimal"
          size="small"
          text="Clear"
          aria-label={`Clear ${label}`}
          onClick={() => {
            setOther(false)
            onChange(undefined)
          }}
        />
      )}
      {showsOther && (
        // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
        <label className="preset-other">
          <span className="visually-hidden">
            {label}, {other.replace('…', '').toLowerCase()}
          </span>
          {children}
        </label>
      )}
    </div>
  )
}
