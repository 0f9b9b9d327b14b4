import { Button } from '@blueprintjs/core'
import { formatDuration, parseDuration } from '../../cells/durationFormat.ts'
import { type TextFormat, useDebouncedText } from './debouncedText.ts'
import { controlProps, type FieldWidgetProps, fieldOf, inputClass } from './widgetProps.ts'

/** Text format of a duration in seconds. */
export const DURATION: TextFormat = { format: formatDuration, parse: parseDuration }
const QUARTER = 15 * 60

export function Duration(props: FieldWidgetProps) {
  const { box, boxProps, text, type } = useDebouncedText(props, DURATION)
  const addQuarter = () => {
    const seconds = parseDuration(text())
    type(formatDuration((typeof seconds === 'number' ? seconds : 0) + QUARTER))
  }
  return (
    <div className="duration">
      <input
        type="text"
        inputMode="numeric"
        className={inputClass(props)}
        {...controlProps(props)}
        {...boxProps}
        ref={box}
      />
      <Button
        text="+15"
        aria-label={`Add 15 minutes to ${fieldOf(props.options)!.label}`}
        onClick={addQuarter}
      />
    </div>
  )
}
