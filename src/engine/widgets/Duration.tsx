import { Button } from '@blueprintjs/core'
import { type TextFormat, useDebouncedText } from './debouncedText.ts'
import { formatDuration, parseDuration } from './durationFormat.ts'
import { controlProps, type FieldWidgetProps, fieldOf, inputClass } from './widgetProps.ts'

const DURATION: TextFormat = { format: formatDuration, parse: parseDuration }
const QUARTER = 15 * 60

export function Duration(props: FieldWidgetProps) {
  const { value, setTyped, flush, onChange, onKeyDown, onBlur } = useDebouncedText(props, DURATION)
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
        className={inputClass(props)}
        {...controlProps(props)}
        value={value}
        onChange={onChange}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
      />
      <Button
        text="+15"
        aria-label={`Add 15 minutes to ${fieldOf(props.options)!.label}`}
        onClick={addQuarter}
      />
    </div>
  )
}
