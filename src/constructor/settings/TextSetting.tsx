import { Classes, InputGroup } from '@blueprintjs/core'
import { type ReactElement, useId } from 'react'
import { Messages } from './Messages.tsx'

interface Props {
  label: string
  hint?: string
  value: string
  onChange: (text: string) => void
  maxLength?: number
  messages?: string[]
  type?: 'text' | 'number' | 'date' | 'time'
  /** Several lines. */
  long?: boolean
  /** The text is no part of the draft, so the keys for undo are the browser's. */
  own?: boolean
}

/** A text or number of a setting with its label, hint and what is wrong with it. */
export function TextSetting(props: Props): ReactElement {
  const { label, hint, value, onChange, maxLength, messages = [], type = 'text', long, own } = props
  const id = useId()
  const about = [hint && `${id}-hint`, messages.length > 0 && `${id}-error`].filter(Boolean).join(' ')
  const common = {
    id,
    value,
    maxLength,
    autoComplete: 'off',
    'aria-describedby': about || undefined,
    'aria-invalid': messages.length > 0 || undefined,
    ...(own && { 'data-own-text': '' }),
  }
  return (
    <div className="constructor-setting">
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="constructor-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {long ? (
        // Not Blueprint's, which reads its own height when it is mounted and so lays out the whole page for it.
        <textarea
          {...common}
          className={`${Classes.INPUT} ${Classes.TEXT_AREA} ${Classes.FILL}`}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <InputGroup {...common} type={type} onValueChange={onChange} />
      )}
      <Messages id={`${id}-error`} messages={messages} />
    </div>
  )
}
