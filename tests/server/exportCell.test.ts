import { describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import { fieldOf } from '../../src/contract/entity.ts'
import type { Field, FieldType } from '../../src/contract/generated.ts'
import { exportCell } from '../../src/server/records/files/exportCell.ts'
import { writeSheet } from '../../src/server/records/files/writeSheet.ts'
import { contract } from '../loadedContract.ts'

const context = { labels: { gender: new Map([[2, 'Female']]) }, timeZone: 'Europe/London' }
const field = (type: FieldType, attrs: Field['attrs'] = {}): Field => ({
  name: 'x',
  label: 'Field',
  type,
  attrs,
})

/** A value as Excel shows it, and the type of its cell. */
async function shown(value: unknown, of: Field): Promise<[type: string, text: string]> {
  const properties = { Title: '', Subject: '', Author: '', CreatedDate: new Date() }
  const content = await writeSheet(['Field'], [value], (one) => [exportCell(one, of, context)], properties)
  const { A2: cell } = xlsx.read(content, { cellNF: true }).Sheets.data
  return [cell.t, xlsx.utils.format_cell(cell)]
}

describe('a cell of an export', () => {
  it.each([
    ['date', '2026-06-04', 'n', '04/06/2026'],
    ['date', '1899-06-04', 's', '4 June 1899'],
    ['datetime', '2026-06-04T09:42:00.000Z', 'n', '04/06/2026 10:42'],
    ['datetime', '2026-12-04T09:42:00.000Z', 'n', '04/12/2026 09:42'],
    ['month', '2026-06', 'n', 'June 2026'],
    ['month', 'Not said', 's', 'Not said'],
    ['time', '14:30', 'n', '14:30'],
    ['duration', 93_600, 'n', '26:00'],
    ['decimal', '12.50', 'n', '12.50'],
    ['decimal', '123456789012345.50', 's', '123,456,789,012,345.50'],
    ['money', '1234.50', 'n', '£1,234.50'],
    ['integer', 12, 'n', '12'],
    ['integer', '5 or fewer', 's', '5 or fewer'],
    ['year', 2026, 'n', '2026'],
    ['yesno', 'yes', 's', 'Yes'],
    ['yesno', false, 's', 'No'],
    ['text', true, 's', 'Yes'],
    ['text', '=1+1', 's', '=1+1'],
    ['phone', '07700900123', 's', '07700900123'],
  ] as [FieldType, unknown, string, string][])(
    'of type %s holds %j as %s, shown as %s',
    async (type, value, t, text) => {
      expect(await shown(value, field(type))).toEqual([t, text])
    },
  )

  it('has the words of choices, not their numbers', async () => {
    expect(await shown(2, field('select', { lookup: 'gender' }))).toEqual(['s', 'Female'])
    expect(await shown([2, 2], field('multiselect', { lookup: 'gender' }))).toEqual(['s', 'Female, Female'])
  })

  it('is a number with a format for every date, time and duration of the contract', () => {
    const examples: Partial<Record<FieldType, unknown>> = {
      date: '2026-06-04',
      datetime: '2026-06-04T09:42:00.000Z',
      duration: 5400,
    }
    const untyped = Object.values(contract.entities).flatMap(({ $id, properties }) =>
      Object.entries(properties).flatMap(([name, property]) => {
        const of = fieldOf(name, property, false)
        const example = examples[of.type]
        return example === undefined || typeof exportCell(example, of, context) === 'object'
          ? []
          : [`${$id}.${name}`]
      }),
    )
    expect(untyped).toEqual([])
  })
})
