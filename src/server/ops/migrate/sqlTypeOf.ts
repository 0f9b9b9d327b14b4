import type { Contract } from '../../../contract/contract.ts'
import type { Property } from '../../../contract/generated.ts'

/** Column type and default by JSON type or format. */
const COLUMN_TYPES: Partial<Record<string, { type: string; empty: string }>> = {
  string: { type: 'text', empty: "''" },
  date: { type: 'date', empty: 'current_date' },
  'date-time': { type: 'timestamptz', empty: 'now()' },
  integer: { type: 'integer', empty: '0' },
  number: { type: 'numeric', empty: '0' },
  boolean: { type: 'boolean', empty: 'false' },
  object: { type: 'jsonb', empty: "'{}'" },
}

/** The column type of a property; a not null column has a default, which fills the existing rows. */
export function sqlTypeOf(property: Property, entities: Contract['entities']): string {
  const types = [property.type ?? 'string'].flat()
  const stored = storedAs(property, types.find((type) => type !== 'null') ?? 'string')
  const parent = property.ref && entities[property.ref]?.table
  // Existing rows have no parent, so the column must be filled before it can be "not null".
  if (parent) return `${stored.type} references ${parent}`
  return types.includes('null') ? stored.type : `${stored.type} not null default ${stored.empty}`
}

function storedAs({ columns, format, items, default: defaultValue }: Property, type: string) {
  const initial = defaultValue as unknown
  if (type === 'array') {
    if (columns || !items) return { type: 'jsonb', empty: "'[]'" }
    const item = COLUMN_TYPES[String((items as Property).type)]?.type ?? 'jsonb'
    return item === 'jsonb' ? { type: 'jsonb', empty: "'[]'" } : { type: `${item}[]`, empty: "'{}'" }
  }
  const stored = COLUMN_TYPES[format ?? type]!
  const isLiteral = ['number', 'boolean'].includes(typeof initial)
  if (isLiteral) return { ...stored, empty: String(initial) }
  if (typeof initial !== 'string' || initial === 'today') return stored
  return { ...stored, empty: `'${initial.replaceAll("'", "''")}'` }
}
