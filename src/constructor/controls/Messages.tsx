import type { ReactElement } from 'react'

/** Validation messages of the control above, which refers to `id` with aria-describedby. */
export function Messages({ id, messages }: { id?: string; messages: string[] }): ReactElement | null {
  if (messages.length === 0) return null
  return (
    <div className="field-error" id={id}>
      {messages.map((message) => (
        <p key={message}>
          <span className="visually-hidden">Error: </span>
          {message}
        </p>
      ))}
    </div>
  )
}
