import { useMemo, useRef, useSyncExternalStore } from 'react'
import { isRequired } from '../../contract/schema.ts'
import type { Field } from '../../contract/types.ts'
import { visibleRow } from '../../contract/visible.ts'
import type { Values } from '../../contract/when.ts'
import type { FormStore } from '../form/store.ts'
import { type Structure, structureOf } from '../form/structure.ts'

/** What each row of a repeat shows now; rows that show the same share one structure. */
export function useRowStructures(store: FormStore, field: Field, path: string): Structure[] {
  const known = useRef({ field, bySignature: new Map<string, Structure>() })
  if (known.current.field !== field) known.current = { field, bySignature: new Map() }
  const text = useSyncExternalStore(store.subscribe, () => JSON.stringify(signatures(store, field, path)))
  return useMemo(() => {
    const { bySignature } = known.current
    return (JSON.parse(text) as string[]).map((signature) => {
      const structure = bySignature.get(signature) ?? structureFor(field, signature)
      bySignature.set(signature, structure)
      return structure
    })
  }, [text, field])
}

/** For each row the names of its columns, those that must be filled with a star. */
function signatures(store: FormStore, { fields = [] }: Field, path: string): string[] {
  const rows = store.valueAt(path)
  const scope = store.scopeOf(path)
  if (!Array.isArray(rows)) return []
  return rows.map((row: Values) => {
    const inRow = { ...scope, answers: { ...scope.answers, ...row } }
    return visibleRow(fields, row, scope)
      .map((f) => (isRequired(f, inRow) ? `${f.name}*` : f.name))
      .join()
  })
}

function structureFor({ fields = [] }: Field, signature: string): Structure {
  const marked = signature.split(',')
  const shown = fields.filter((f) => marked.includes(f.name) || marked.includes(`${f.name}*`))
  const required = shown.map((f) => f.name).filter((name) => marked.includes(`${name}*`))
  return structureOf(shown, required)
}
