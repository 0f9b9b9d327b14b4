import { HTMLSelect } from '@blueprintjs/core'
import { useRef, useState } from 'react'
import { controlProps, type FieldWidgetProps, fieldOf, inputClass, useGroupBlur } from './widgetProps.ts'

const NAMES = Array.from({ length: 12 }, (_, i) =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2000, i)),
)

/** A month and its year, because Firefox and Safari have no native month input. */
export function Month(props: FieldWidgetProps) {
  const { id, value, onChange } = props
  const onFieldBlur = useGroupBlur(props)
  const { label } = fieldOf(props.options)!
  const [parts, setParts] = useState(partsOf(value))
  const sent = useRef(value)
  // The value was changed from outside, such as by an undo.
  if (!Object.is(value, sent.current)) {
    sent.current = value
    setParts(partsOf(value))
  }
  const change = (next: Parts) => {
    setParts(next)
    sent.current = monthOf(next)
    onChange(sent.current)
  }
  const { id: _, 'aria-required': required, ...control } = controlProps(props)
  return (
    <div className="month">
      <HTMLSelect
        {...control}
        id={`${id}-month`}
        aria-label={`Month of ${label}`}
        aria-required={required}
        iconProps={{ title: undefined }}
        value={parts.month}
        onChange={(event) => change({ ...parts, month: event.currentTarget.value })}
        onBlur={onFieldBlur}
      >
        <option value="">Month</option>
        {NAMES.map((name, i) => (
          <option key={name} value={String(i + 1).padStart(2, '0')}>
            {name}
          </option>
        ))}
      </HTMLSelect>
      <input
        type="text"
        inputMode="numeric"
        className={inputClass(props)}
        {...control}
        id={`${id}-year`}
        aria-label={`Year of ${label}`}
        aria-required={required}
        placeholder="Year"
        maxLength={4}
        value={parts.year}
        onChange={(event) => change({ ...parts, year: event.target.value.trim() })}
        onBlur={onFieldBlur}
      />
    </div>
  )
}

interface Parts {
  year: string
  month: string
}

function partsOf(value: unknown): Parts {
  const [year = '', month = ''] = typeof value === 'string' ? value.split('-') : []
  return { year, month }
}

/** 'YYYY-MM'; incomplete if one part is missing, which validation reports. */
function monthOf({ year, month }: Parts): string | undefined {
  return year || month ? `${year}-${month}` : undefined
}
