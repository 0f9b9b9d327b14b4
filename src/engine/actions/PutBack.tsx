import type { Action } from '../../contract/generated.ts'
import type { PutBackProps } from '../cells/putBackContext.ts'
import { ActionButton } from './ActionButton.tsx'

/** Restores the value that a field had before a change, after a confirmation. */
export default function PutBack({ call, entry, change }: PutBackProps) {
  const action = {
    label: 'Put back',
    call,
    values: { field: '{field}' },
    confirm: change.from ? 'Set “{label}” back to “{before}”?' : 'Empty “{label}” again?',
    done: '“{label}” is put back',
  } satisfies Action
  const record = { ...change, id: entry, before: shortened(change.from) }
  return <ActionButton small about={change.label} {...{ action, record }} params={{}} />
}

const MAX_LENGTH = 300

function shortened(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}
