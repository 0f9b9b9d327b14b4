import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { entityTypes } from '../../src/check/entityTypes.ts'
import type { Entity, Property } from '../../src/contract/generated.ts'

const entity = ($id: string, properties: Record<string, Property>, required: string[] = []): Entity => ({
  $id,
  title: $id,
  type: 'object',
  required,
  properties,
})
const typesOf = (...entities: Entity[]) =>
  entityTypes({ entities: Object.fromEntries(entities.map((one) => [one.$id, one])), bodies: {} }, ['Action'])

describe('the types of the descriptors', () => {
  it('are each generated once', () => {
    const names = [
      ...readFileSync('src/contract/generated.ts', 'utf8').matchAll(/^export (?:type|interface) (\w+)/gm),
    ].map(([, name]) => name)
    expect(names.filter((name) => /\d$/.test(name))).toEqual([])
  })
})

describe('the types of an entity', () => {
  it('have the suffix Record if its name is that of another type or of a global', () => {
    const types = typesOf(entity('action', {}), entity('file', {}), entity('issue', {}))
    expect(types.match(/^ {2}\w+: \w+$/gm)).toEqual([
      '  action: ActionRecord',
      '  file: FileRecord',
      '  issue: Issue',
    ])
  })

  it('have optional and read-only properties as people, defaults and the server set them', () => {
    const types = typesOf(
      entity(
        'note',
        {
          id: { title: 'ID', type: 'integer', readOnly: true },
          at: { title: 'At', type: ['string', 'null'], format: 'date-time' },
          kind: { title: 'Kind', type: 'string', options: [{ value: 'a', label: 'A' }], writeOnce: true },
          parts: { title: 'Parts', type: 'array', columns: { size: { title: 'Size', type: 'number' } } },
        },
        ['kind'],
      ),
    )
    expect(types).toContain(`export type Note = {
  id: number
  at: Date | null
  kind: 'a'
  parts: { row?: string; size?: number }[]
}

export type NoteInput = {
  at?: string | null
  kind: 'a'
  parts?: { row?: string; size?: number }[]
}

export type NoteChange = Partial<Omit<NoteInput, 'kind'>>
`)
  })
})
