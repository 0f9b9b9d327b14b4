import { loadable } from '../page/loadable.tsx'
import { type FieldWidgetProps, fieldOf } from './widgetProps.ts'

const Markdown = loadable(() => import('./Markdown.tsx'))

/** A text between the questions, which asks nothing. */
export function Note({ id, options }: FieldWidgetProps) {
  const { label, attrs } = fieldOf(options)!
  return (
    <div id={id} role="note" aria-labelledby={`${id}-label`}>
      <strong id={`${id}-label`}>{label}</strong>
      {attrs?.text && <Markdown text={attrs.text} />}
    </div>
  )
}
