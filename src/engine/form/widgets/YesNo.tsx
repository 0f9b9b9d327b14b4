import { Button, Radio } from '@blueprintjs/core'
import { yesNoValues } from '../../../contract/fieldTypes.ts'
import { YES_NO_LABELS } from '../../../contract/yesNo.ts'
import { type FieldWidgetProps, fieldOf, useGroupBlur } from './widgetProps.ts'

const ANSWERS = Object.entries(YES_NO_LABELS).map(([value, label]) => ({ value, label }))

/** Yes, No or Not known; only the values that the field offers, and the current answer. */
export function YesNo(props: FieldWidgetProps) {
  const { id, value, required, onChange } = props
  const onFieldBlur = useGroupBlur(props)
  const field = fieldOf(props.options)!
  const { label: question, attrs } = field
  const offered = yesNoValues(field)
  const answers = ANSWERS.filter((one) => offered.includes(one.value) || one.value === value)
  return (
    <div className="choices-inline">
      {(attrs?.options ?? answers).map(({ value: answer, label }) => (
        <Radio
          key={answer}
          id={`${id}-${answer}`}
          name={id}
          inline
          label={label}
          checked={value === answer}
          onChange={() => onChange(answer)}
          onBlur={onFieldBlur}
        />
      ))}
      {value !== undefined && value !== null && !required && (
        <Button
          variant="minimal"
          size="small"
          text="Clear"
          aria-label={`Clear ${question}`}
          onClick={() => onChange(undefined)}
          onBlur={onFieldBlur}
        />
      )}
    </div>
  )
}
