import { describe, expect, it } from 'vitest'
import { editableFields, fieldOf, groupsOf } from '../../src/contract/entity.ts'
import type { Property } from '../../src/contract/generated.ts'
import { forCreate, forReply, forUpdate } from '../../src/server/http/wire.ts'

const properties: Record<string, Property> = {
  id: { title: 'ID', type: 'integer', readOnly: true },
  name: { title: 'Name', type: 'string', minLength: 1, maxLength: 100 },
  born: { title: 'Born', type: ['string', 'null'], format: 'date', rules: ['not_future'] },
  kind: { title: 'Kind', type: 'string', writeOnce: true },
  colour: { title: 'Colour', type: ['integer', 'null'], lookup: 'colours' },
  status: {
    title: 'Status',
    type: 'integer',
    options: [
      { value: 1, label: 'On' },
      { value: 2, label: 'Off' },
    ],
    default: 1 as never,
    readOnly: true,
  },
  answers: { title: 'Answers', type: 'object', meta: 'case_meta' },
}
const entity = {
  $id: 'thing',
  title: 'Thing',
  type: 'object' as const,
  required: ['name'],
  properties,
}

describe('fieldOf', () => {
  const types: [type: string, property: Partial<Property>][] = [
    ['text', { type: 'string' }],
    ['text', { type: 'string', maxLength: 300 }],
    ['textarea', { type: 'string', maxLength: 301 }],
    ['date', { type: ['string', 'null'], format: 'date' }],
    ['datetime', { type: 'string', format: 'date-time' }],
    ['integer', { type: ['integer', 'null'] }],
    ['select', { type: 'integer', lookup: 'colours' }],
    ['multiselect', { type: 'array', lookup: 'colours' }],
    ['repeat', { type: 'array', columns: { a: { title: 'A', type: 'string' } } }],
    ['phone', { type: 'string', fieldType: 'phone' }],
  ]
  it.each(types)('makes a %s', (type, property) => {
    expect(fieldOf('x', { title: 'X', ...property }, false).type).toBe(type)
  })

  it('copies what a field needs and leaves out a null choice', () => {
    const field = fieldOf(
      'x',
      {
        title: 'X',
        description: 'Why',
        type: ['string', 'null'],
        options: [
          { value: null, label: '' },
          { value: 'a', label: 'A' },
        ],
      },
      true,
    )
    expect(field).toEqual({
      name: 'x',
      label: 'X',
      type: 'select',
      attrs: { required: true, help: 'Why', options: [{ value: 'a', label: 'A' }] },
    })
  })
})

it('editable fields are neither read-only nor answers, in the order of the file', () => {
  expect(editableFields(entity).map((f) => f.name)).toEqual(['name', 'born', 'kind', 'colour'])
})

it('groupsOf makes one group with required fields', () => {
  const [{ label, fields }] = groupsOf(entity)
  expect(label).toBe('Thing')
  expect(fields.filter((f) => f.attrs?.required).map((f) => f.name)).toEqual(['name'])
})

describe('on the wire', () => {
  it('requires what is required for a create, and refuses what the server sets', () => {
    const schema = forCreate(entity)
    expect(schema.required).toEqual(['name'])
    expect(Object.keys(schema.properties)).toEqual(['name', 'born', 'kind', 'colour', 'answers'])
    expect(schema.additionalProperties).toBe(false)
  })

  it('requires only a version for an update, fills no default, and refuses write-once keys', () => {
    const schema = forUpdate(entity)
    expect(schema.required).toBeUndefined()
    const versions = ['version', 'case_type_version']
    expect(Object.keys(schema.properties)).toEqual(['name', 'born', 'colour', 'answers', ...versions])
    expect(JSON.stringify(schema)).not.toContain('"default"')
  })

  it('replies with every key, null where the column is nullable', () => {
    const schema = forReply(entity)
    expect(Object.keys(schema.properties)).toEqual(Object.keys(properties))
    expect(schema.properties.colour).toEqual({ title: 'Colour', type: ['integer', 'null'] })
    expect(schema.properties.status).toEqual({ title: 'Status', type: 'integer', enum: [1, 2] })
  })
})
