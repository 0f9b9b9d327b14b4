import { Button, Radio } from '@blueprintjs/core'
import { yesNoValues } from '../../contract/fieldTypes.ts'
import { type FieldWidgetProps, fieldOf, useGroupBlur } from './widgetProps.ts'

const ANSWERS = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
  { value: 'not_known', label: 'Not known' },
]

/** Yes, No or Not known; only what the field itself offers where it says so, and what is answered already. */
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
