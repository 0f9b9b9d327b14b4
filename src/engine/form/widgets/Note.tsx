import { loadable } from '../../core/loadable.tsx'
import { type FieldWidgetProps, fieldOf } from './widgetProps.ts'

// If the Markdown renderer cannot be loaded, show the plain text instead of an error.
const Markdown = loadable(() => import('./Markdown.tsx').catch(() => ({ default: Unformatted })))

/** A text between the fields, without a value. */
export function Note({ id, options }: FieldWidgetProps) {
  const { label, attrs } = fieldOf(options)!
  return (
    <div id={id} role="note" aria-labelledby={`${id}-label`}>
      <strong id={`${id}-label`}>{label}</strong>
      {attrs?.text && <Markdown text={attrs.text} />}
    </div>
  )
}

function Unformatted({ text }: { text: string }) {
  return <p className="note-unformatted">{text}</p>
}
