import { Button, Radio } from '@blueprintjs/core'
import { yesNoChoices } from '../../../contract/choiceTypes.ts'
import { offeredOptions } from '../../../contract/fieldTypes.ts'
import { type FieldWidgetProps, fieldOf, useGroupBlur } from './widgetProps.ts'

/** Yes, No or Not known; only the values that the field offers, and the current answer. */
export function YesNo(props: FieldWidgetProps) {
  const { id, value, required, onChange } = props
  const onFieldBlur = useGroupBlur(props)
  const field = fieldOf(props.options)!
  const { label: question, attrs } = field
  const offered = offeredOptions(field)
  const answers = yesNoChoices().filter(
    (one) => one.value === value || offered.some((option) => option.value === one.value),
  )
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
