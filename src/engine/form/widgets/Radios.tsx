import { Button, Radio } from '@blueprintjs/core'
import { Fragment } from 'react'
import { takesOneChoice } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { isSet } from '../../../contract/when.ts'
import { ChoiceHint } from './ChoiceHint.tsx'
import { hintId, withChoices } from './choices.ts'
import { fieldOf, useGroupBlur } from './widgetProps.ts'

/** True if a single choice is rendered as radio buttons instead of a select. */
export function hasRadios({ type, attrs }: Field): boolean {
  return takesOneChoice({ type }) && attrs?.radios === true && attrs.options !== undefined
}

/** A single choice of few, as radio buttons below each other. */
export const Radios = withChoices(({ props, choices }) => {
  const { id, value, required, onChange } = props
  const onFieldBlur = useGroupBlur(props)
  return (
    <div className="choices">
      {choices.items?.map((item) => (
        <Fragment key={item.value}>
          <Radio
            id={`${id}-${item.value}`}
            name={id}
            label={item.label}
            checked={value === item.value}
            aria-describedby={hintId(id, item)}
            onChange={() => onChange(item.value)}
            onBlur={onFieldBlur}
          />
          <ChoiceHint {...{ id, item }} />
        </Fragment>
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
