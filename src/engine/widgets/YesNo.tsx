import { Button, Radio } from '@blueprintjs/core'
import { type AskProps, specOf } from './ask.ts'
import { useLeave } from './leave.ts'

const ANSWERS = [
  ['yes', 'Yes'],
  ['no', 'No'],
  ['not_known', 'Not known'],
] as const

export function YesNo(ask: AskProps) {
  const { id, value, required, onChange } = ask
  const leave = useLeave(ask)
  return (
    <div className="choices-inline">
      {ANSWERS.map(([answer, label]) => (
        <Radio
          key={answer}
          id={`${id}-${answer}`}
          name={id}
          inline
          label={label}
          checked={value === answer}
          onChange={() => onChange(answer)}
          onBlur={leave}
        />
      ))}
      {value !== undefined && value !== null && !required && (
        <Button
          variant="minimal"
          size="small"
          text="Clear"
          aria-label={`Clear ${specOf(ask.options)!.label}`}
          onClick={() => onChange(undefined)}
          onBlur={leave}
        />
      )}
    </div>
  )
}
