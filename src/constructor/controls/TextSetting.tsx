import { Classes, InputGroup } from '@blueprintjs/core'
import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import { Messages } from './Messages.tsx'

export interface TextSettingProps {
  label: string
  /** Shows the label only to screen readers, because the context makes it clear. */
  quiet?: boolean
  hint?: string
  value: string
  onChange: (text: string) => void
  maxLength?: number
  messages?: string[]
  type?: 'text' | 'number' | 'date' | 'time'
  /** Several lines; 'wraps': one line of text in a box that grows with it. */
  long?: boolean | 'wraps'
  /** The text is not part of the draft, so Ctrl+Z is the browser's own undo. */
  own?: boolean
  /** Further attributes of a box of several lines. */
  box?: Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> & { ref?: Ref<HTMLTextAreaElement> }
  /** Shown right below the box. */
  children?: ReactNode
}

/** A setting that is a text or number, with label, hint and validation messages. */
export function TextSetting(props: TextSettingProps): ReactElement {
  const { label, quiet, hint, value, onChange, maxLength, messages = [], type = 'text', long, own } = props
  const { box, children } = props
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
      <label htmlFor={id} className={quiet ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {hint && (
        <p className="constructor-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {long ? (
        // Not Blueprint's TextArea, which measures its height when mounted and so forces a layout of the whole page.
        <textarea
          {...common}
          {...box}
          className={`${Classes.INPUT} ${Classes.TEXT_AREA} ${Classes.FILL}`}
          {...(long === 'wraps' && { rows: 1, 'data-wraps': '' })}
          onKeyDown={(event) => {
            box?.onKeyDown?.(event)
            if (long === 'wraps') submitOnEnter(event)
          }}
          onChange={({ currentTarget: { value: text } }) =>
            onChange(long === 'wraps' ? text.replaceAll(/\s*\n\s*/g, ' ') : text)
          }
        />
      ) : (
        <InputGroup {...common} type={type} onValueChange={onChange} />
      )}
      {children}
      {maxLength !== undefined && <LengthHint length={value.length} maxLength={maxLength} />}
      <Messages id={`${id}-error`} messages={messages} />
    </div>
  )
}

/** Length from which it is displayed, as a share of the maximum. */
const NEAR = 0.9

/** Shows the length of a text near its maximum, because the box silently ignores further input. */
function LengthHint({ length, maxLength }: { length: number; maxLength: number }) {
  if (length < maxLength * NEAR) return null
  return (
    <p className="constructor-hint" role="status">
      {length < maxLength ? `${length} of ${maxLength} characters` : `${maxLength} characters at most`}
    </p>
  )
}

/** Enter submits the form, as in a box of one line. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || event.defaultPrevented || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
