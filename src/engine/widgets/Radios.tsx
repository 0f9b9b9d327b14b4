import { Button, Radio } from '@blueprintjs/core'
import type { Field } from '../../contract/generated.ts'
import { isSet } from '../../contract/when.ts'
import { withChoices } from './choices.ts'
import { fieldOf, useGroupBlur } from './widgetProps.ts'

/** Whether one choice is asked by radio buttons instead of a list. */
export function hasRadios({ type, attrs }: Field): boolean {
  return type === 'select' && attrs?.radios === true && attrs.options !== undefined
}

/** One of few choices, all of which are seen at once, below each other. */
export const Radios = withChoices(({ ask: props, choices }) => {
  const { id, value, required, onChange } = props
  const onFieldBlur = useGroupBlur(props)
  return (
    <div className="choices">
      {choices.items?.map((item) => (
        <Radio
          key={item.value}
          id={`${id}-${item.value}`}
          name={id}
          label={item.label}
          checked={value === item.value}
          onChange={() => onChange(item.value)}
          onBlur={onFieldBlur}
        />
      ))}
      {isSet(value) && !required && (
        <Button
          variant="minimal"
          size="small"
          text="Clear"
          aria-label={`Clear ${fieldOf(props.options)!.label}`}
          onClick={() => onChange(undefined)}
          onBlur={onFieldBlur}
        />
      )}
    </div>
  )
})
