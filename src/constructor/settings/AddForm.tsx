import { Button } from '@blueprintjs/core'
import type { ReactElement, ReactNode } from 'react'
import { TextSetting } from './TextSetting.tsx'

interface Props {
  hint: string
  label: string
  onLabel: (label: string) => void
  /** What is wrong with the label. */
  messages: string[]
  /** On the button that adds. */
  text: string
  onAdd: () => void
  onCancel: () => void
  /** What is asked besides the label. */
  children?: ReactNode
}

/** Asks for the label of something new; without one the focus goes there. */
export function AddForm({
  hint,
  label,
  onLabel,
  messages,
  text,
  onAdd,
  onCancel,
  children,
}: Props): ReactElement {
  return (
    <form
      noValidate
      aria-labelledby="constructor-settings"
      onSubmit={(event) => {
        event.preventDefault()
        if (!label.trim()) event.currentTarget.querySelector('input')?.focus()
        onAdd()
      }}
    >
      <TextSetting
        label="Label"
        hint={hint}
        value={label}
        maxLength={200}
        messages={messages}
        own
        onChange={onLabel}
      />
      {children}
      <div className="constructor-buttons">
        <Button type="submit" intent="primary" text={text} />
        <Button text="Cancel" onClick={onCancel} />
      </div>
    </form>
  )
}
