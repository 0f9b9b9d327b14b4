import { Button } from '@blueprintjs/core'
import { type AskProps, controlProps, inputClass, specOf } from './ask.ts'
import { readDuration, writeDuration } from './durationText.ts'
import { type TextForm, useHeldText } from './heldText.ts'

const DURATION: TextForm = { write: writeDuration, read: readDuration }
const QUARTER = 15 * 60

export function Duration(ask: AskProps) {
  const { value, type, flush, onChange, onKeyDown, onBlur } = useHeldText(ask, DURATION)
  const addQuarter = () => {
    const seconds = readDuration(value)
    type(writeDuration((typeof seconds === 'number' ? seconds : 0) + QUARTER))
    flush()
  }
  return (
    <div className="duration">
      <input
        type="text"
        inputMode="numeric"
        className={inputClass(ask)}
        {...controlProps(ask)}
        value={value}
        onChange={onChange}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
      />
      <Button
        text="+15"
        aria-label={`Add 15 minutes to ${specOf(ask.options)!.label}`}
        onClick={addQuarter}
      />
    </div>
  )
}
