import { Button } from '@blueprintjs/core'
import { type AskProps, controlProps, inputClass, specOf } from './ask.ts'
import { formatDuration, parseDuration } from './durationText.ts'
import { type TextFormat, useDebouncedText } from './heldText.ts'

const DURATION: TextFormat = { format: formatDuration, parse: parseDuration }
const QUARTER = 15 * 60

export function Duration(ask: AskProps) {
  const { value, setTyped, flush, onChange, onKeyDown, onBlur } = useDebouncedText(ask, DURATION)
  const addQuarter = () => {
    const seconds = parseDuration(value)
    setTyped(formatDuration((typeof seconds === 'number' ? seconds : 0) + QUARTER))
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
