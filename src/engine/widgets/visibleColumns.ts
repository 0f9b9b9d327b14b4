import { useMemo, useSyncExternalStore } from 'react'
import type { Field } from '../../contract/generated.ts'
import { isRequired } from '../../contract/schema.ts'
import { visibleRow } from '../../contract/visible.ts'
import type { Values } from '../../contract/when.ts'
import type { FormStore } from '../form/store.ts'

/** What a row of a repeat asks for now. */
interface VisibleColumns {
  fields: Field[]
  required: Set<string>
}

/** For each row of the repeat at a path what it shows now; each row hides its own. */
export function useVisibleColumns(store: FormStore, field: Field, path: string): VisibleColumns[] {
  const text = useSyncExternalStore(store.subscribe, () => JSON.stringify(signatures(store, field, path)))
  return useMemo(
    () => (JSON.parse(text) as Signature[]).map((signature) => columnsOf(field, signature)),
    [text, field],
  )
}

/** Names of a row's columns, and of those that must be filled. */
type Signature = [string[], string[]]

function signatures(store: FormStore, { fields = [] }: Field, path: string): Signature[] {
  const rows = store.valueAt(path)
  const conditionContext = store.conditionContextAt(path)
  if (!Array.isArray(rows)) return []
  return rows.map((row: Values) => {
    const inRow = { ...conditionContext, answers: { ...conditionContext.answers, ...row } }
    const visibleFields = visibleRow(fields, row, conditionContext)
    return [
      visibleFields.map((f) => f.name),
      visibleFields.filter((f) => isRequired(f, inRow)).map((f) => f.name),
    ]
  })
}

function columnsOf({ fields = [] }: Field, [names, required]: Signature): VisibleColumns {
  return { fields: fields.filter((f) => names.includes(f.name)), required: new Set(required) }
}
