import { compareLabels } from '../../../contract/compareKey.ts'
import { fieldOf } from '../../../contract/entity.ts'
import type { Entity, Field } from '../../../contract/generated.ts'
import type { Row } from '../../core/db.ts'

/** A model in the shape of an app list of Django's admin; `add_url` is null if nothing can be added. */
export interface ModelRow {
  name: string
  object_name: string
  count: number
  add_url: string | null
  list_url: string
}

/** The row of a model, with its addresses in the API and its number of records. */
export function modelRow(
  app: string,
  object_name: string,
  { title }: Entity,
  options: { count: number; canAdd: boolean },
): ModelRow {
  const at = `/api_admin/${app}/${object_name}`
  const add_url = options.canAdd ? `${at}/add/` : null
  return { name: title, object_name, count: options.count, add_url, list_url: `${at}/list/` }
}

/** The models whose names contain the term, in the requested order. */
export function narrowModels(models: ModelRow[], query: Record<string, unknown>): ModelRow[] {
  const term = String(query.term ?? '').toLowerCase()
  const found = models.filter(({ name, object_name }) =>
    `${name} ${object_name}`.toLowerCase().includes(term),
  )
  const by = query.order_by === 'count' ? 'count' : query.order_by === 'name' ? 'name' : undefined
  if (!by) return found
  const sorted = found.toSorted((a, b) =>
    by === 'count' ? a.count - b.count : compareLabels(a.name, b.name),
  )
  return query.sort_order === 'desc' ? sorted.reverse() : sorted
}

/** An entity's properties as fields of a form; with `all` also the read-only ones. */
export function fieldsOf(model: Entity, all = false): Field[] {
  return Object.entries(model.properties)
    .filter(([, property]) => all || !property.readOnly)
    .map(([name, property]) => fieldOf(name, property, model.required?.includes(name) ?? false))
}

/** The data of an admin form: its fields, and the values of its record if there is one. */
export function formOf(app_label: string, object_name: string, model: Entity, record?: Row, all = false) {
  const fields = fieldsOf(model, all)
  const { id = null, label = null, version = null } = record ?? {}
  const data = Object.fromEntries(fields.map(({ name }) => [name, record?.[name] ?? null]))
  const head = { app_label, object_name, name: model.title, id, label, version }
  return { ...head, fields, data: record ? data : {} }
}
