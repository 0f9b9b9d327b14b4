import type { Body, Entity, Field, FieldType, Group, Property } from './generated.ts'
import { hintOf } from './rules.ts'

/** Converts a property of an entity or body to a form field, the shape of a case type's meta. */
export function fieldOf(name: string, property: Property, required: boolean): Field {
  const { title, description, rules, when, lookup, lookup_params, options, minimum, maximum, columns, ref } =
    property
  const { requiredText } = property
  const help = description ?? hintOf(rules)
  const attrs: Field['attrs'] = {
    ...(required && { required: true }),
    ...(requiredText && { required_text: requiredText }),
    ...(help && { help }),
    ...(rules && { rules }),
    ...(when && { when }),
    ...(lookup && { lookup }),
    ...(lookup_params && { lookup_params }),
    ...(options && {
      options: options.filter((o) => o.value !== null) as { value: string | number; label: string }[],
    }),
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
    ...(property.maxLength && { max_length: property.maxLength }),
    ...(property.default !== undefined && { default: property.default as never }),
    ...(ref && { ref }),
    ...(property.readOnly && { read_only: true }),
  }
  const field: Field = { name, label: title, type: typeOf(property), attrs }
  if (columns) field.fields = Object.entries(columns).map(([key, column]) => fieldOf(key, column, false))
  return field
}

const editable = new WeakMap<object, readonly Field[]>()

/** The fields of an entity or body that a person may edit, in the order of its file. */
export function editableFields(shape: Pick<Entity | Body, 'properties' | 'required'>): readonly Field[] {
  const known = editable.get(shape)
  if (known) return known
  const fields = Object.entries(shape.properties)
    .filter(([, property]) => !property.readOnly && !property.meta)
    .map(([name, property]) => fieldOf(name, property, shape.required?.includes(name) ?? false))
  editable.set(shape, fields)
  return fields
}

const groups = new WeakMap<object, Group[]>()

/**
 * One group of all editable fields, without free-form objects, by which a body is validated. Returns the same list for
 * the same shape, because the prepared data of a form is cached by its list of groups.
 */
export function groupsOf(shape: Pick<Entity | Body, 'properties' | 'required' | 'title'>): Group[] {
  const known = groups.get(shape)
  if (known) return known
  const fields = editableFields(shape).filter(({ name }) => !isFree(shape, name))
  const made = [{ name: 'fields', label: shape.title ?? 'Fields', fields }]
  groups.set(shape, made)
  return made
}

/** True if a property is a free-form object, such as a draft's payload. */
export function isFree({ properties }: Pick<Entity | Body, 'properties'>, name: string): boolean {
  return properties[name].type === 'object' && !properties[name].fieldType
}

/** True if a new record without this date gets today's. */
export function isTodayByDefault(property: Property): boolean {
  return (property.default as unknown) === 'today'
}

/** The field type of a property: its `fieldType`, else derived from its format, choices and JSON type. */
export function typeOf(property: Property): FieldType {
  if (property.fieldType) return property.fieldType
  if (property.format) return property.format === 'date' ? 'date' : 'datetime'
  const types = Array.isArray(property.type) ? property.type : [property.type]
  const many = types.includes('array')
  if (many && property.columns) return 'repeat'
  if (property.lookup || property.options) return many ? 'multiselect' : 'select'
  if (types.includes('integer') || types.includes('number')) return 'integer'
  return (property.maxLength ?? 0) > 300 ? 'textarea' : 'text'
}
