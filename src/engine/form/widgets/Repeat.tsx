import { Button } from '@blueprintjs/core'
import type { ErrorSchema } from '@rjsf/utils'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { holdsRows } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import { pluralise } from '../../../contract/pluralise.ts'
import { mostRows } from '../../../contract/repeatLimits.ts'
import { requestedRows, rowName } from '../../../contract/rowSettings.ts'
import { isRequired } from '../../../contract/schema.ts'
import { evaluateRow, withRow } from '../../../contract/visible.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import type { FormStore } from '../store/formStore.ts'
import { join, newRowId } from '../store/paths.ts'
import { defaultsOf } from '../store/sections.ts'
import { Fields } from './Fields.tsx'
import { type FieldWidgetProps, fieldOf } from './widgetProps.ts'

/**
 * A list of rows, each with its own fields; conditions are evaluated for each row. Rows whose number is fixed are not
 * added or removed, and the choice in their first column is their heading.
 */
export function Repeat(props: FieldWidgetProps) {
  const { id, value, options, errorSchema, registry } = props
  const { store, pathOf } = registry.formContext
  const field = fieldOf(options)!
  const { attrs } = field
  const path = pathOf(id)
  const rows = Array.isArray(value) ? (value as Values[]) : []
  const isFixed = attrs?.max !== undefined && attrs.min === attrs.max
  // Two columns are beside each other, so that the rows read like a table.
  const isShort = !isFixed && field.fields?.length === 2 && !field.fields.some(holdsRows)
  const columns = useVisibleColumns(store, field, path)
  const asked = useSyncExternalStore(store.subscribe, () =>
    attrs?.rows_from ? requestedRows(field, store.conditionContextAt(path)) : undefined,
  )
  const most = asked ?? mostRows(field)
  const { box, announcement, add, remove } = useRowEdits(props, rows.length, asked)
  return (
    <div className="repeat" ref={box}>
      {rows.map((row, i) => (
        <fieldset
          className={isShort ? 'repeat-row repeat-short' : 'repeat-row'}
          key={String(row.row ?? i)}
          data-row={i}
        >
          <legend className={isShort ? 'visually-hidden' : undefined}>
            {(isFixed && headingOf(field, row)) || rowName(field, i)}
          </legend>
          {columns[i] && (
            <Fields
              {...columns[i]}
              fields={isFixed ? columns[i].fields.slice(1) : columns[i].fields}
              at={join(path, i)}
              values={{ ...row, ...columns[i].calculated }}
              errors={(errorSchema as Record<number, ErrorSchema> | undefined)?.[i]}
              explains={options.explains as boolean | undefined}
              registry={registry}
            />
          )}
          {!isFixed && (asked === undefined || rows.length > asked) && (
            <Button
              size="small"
              icon="trash"
              text="Remove"
              aria-label={`Remove ${rowName(field, i)}`}
              onClick={() => remove(i)}
            />
          )}
        </fieldset>
      ))}
      {!isFixed && rows.length < most && (
        <Button
          className="repeat-add"
          icon="plus"
          text={rows.length > 0 ? 'Add another' : 'Add'}
          aria-label={`Add ${attrs?.row_label ?? field.label}`}
          onClick={add}
        />
      )}
      <div className="visually-hidden" aria-live="polite">
        {announcement}
      </div>
    </div>
  )
}

/**
 * Adds and removes rows, which is announced, and moves the focus to where the person continues. Once the answer changes
 * that says how many there are (`asked`), adds the missing ones and removes those in which nothing is answered.
 */
function useRowEdits(
  { id, options, registry, onChange }: FieldWidgetProps,
  count: number,
  asked: number | undefined,
) {
  const { store, pathOf } = registry.formContext
  const field = fieldOf(options)!
  const path = pathOf(id)
  const box = useRef<HTMLDivElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const goTo = useRef('')
  const defaults = () => defaultsOf(field.fields ?? [])
  const newRow = () => ({ row: newRowId(), ...defaults() })
  const latestRows = () => {
    // The flush may store text that is still debounced in one of the rows.
    store.flush()
    return (store.valueAt(path) ?? []) as Values[]
  }
  const nameOf = (index: number) =>
    field.attrs?.row_label ? rowName(field, index) : `${field.label}: row ${index + 1}`

  useEffect(() => {
    const control = goTo.current && box.current?.querySelector<HTMLElement>(goTo.current)
    if (!control) return
    goTo.current = ''
    control.focus()
  })
  const before = useRef(asked)
  useEffect(() => {
    if (asked === before.current) return
    before.current = asked
    if (asked === undefined) return
    const latest = latestRows()
    const next = withCount(latest, asked, { newRow, defaults: defaults() })
    if (next.length === latest.length) return
    onChange(next)
    setAnnouncement(`${field.label}: ${pluralise(next.length, 'row')}`)
  })
  return {
    box,
    announcement,
    add: () => {
      onChange([...latestRows(), newRow()])
      setAnnouncement(`${nameOf(count)} added`)
      goTo.current = `:scope > [data-row="${count}"] :is(input, select, textarea, button)`
    },
    remove: (index: number) => {
      store.removeRow(path, index)
      setAnnouncement(`${nameOf(index)} removed`)
      goTo.current = ':scope > .repeat-add'
    },
  }
}

/**
 * Adds rows up to the requested number, or removes those above it from the end, as long as nobody has answered them.
 */
function withCount(
  rows: Values[],
  count: number,
  { newRow, defaults }: { newRow: () => Values; defaults: Values },
): Values[] {
  if (rows.length < count) return [...rows, ...Array.from({ length: count - rows.length }, newRow)]
  let length = rows.length
  while (length > count && isUntouched(rows[length - 1], defaults)) length--
  return rows.slice(0, length)
}

function isUntouched(row: Values, defaults: Values): boolean {
  return Object.entries(row).every(
    ([name, value]) => name === 'row' || !isSet(value) || isEqual(value, defaults[name]),
  )
}

/** The label of the choice in the first column of a row. */
function headingOf({ fields: [first] = [] }: Field, row: Values): string | undefined {
  return first?.attrs?.options?.find(({ value }) => value === row[first.name])?.label
}

interface VisibleColumns {
  fields: Field[]
  required: Set<string>
  calculated: Values
}

/** Visible columns of each row of the repeat at a path, because conditions are evaluated for each row. */
function useVisibleColumns(store: FormStore, field: Field, path: string): VisibleColumns[] {
  const text = useSyncExternalStore(store.subscribe, () => JSON.stringify(signatures(store, field, path)))
  return useMemo(
    () => (JSON.parse(text) as Signature[]).map((signature) => columnsOf(field, signature)),
    [text, field],
  )
}

/** Names of a row's visible columns and of the required ones; its calculated values, null if not known yet. */
type Signature = [string[], string[], Values]

function signatures(store: FormStore, { fields = [] }: Field, path: string): Signature[] {
  const rows = store.valueAt(path)
  if (!Array.isArray(rows)) return []
  const conditionContext = store.conditionContextAt(path)
  return rows.map((row: Values) => {
    const { fields: visibleFields, values } = evaluateRow(fields, row, conditionContext)
    const inRow = withRow(conditionContext, values)
    const calculated = visibleFields.filter((f) => f.attrs?.calc)
    return [
      visibleFields.map((f) => f.name),
      visibleFields.filter((f) => isRequired(f, inRow)).map((f) => f.name),
      Object.fromEntries(calculated.map(({ name }) => [name, values[name] ?? null])),
    ]
  })
}

function columnsOf({ fields = [] }: Field, [names, required, calculated]: Signature): VisibleColumns {
  return { fields: fields.filter((f) => names.includes(f.name)), required: new Set(required), calculated }
}
