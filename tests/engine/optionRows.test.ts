import { describe, expect, it } from 'vitest'
import {
  COLUMNS,
  moved,
  optionsOf,
  pasted,
  rowsOf,
  withCells,
} from '../../src/constructor/settings/optionRows.ts'
import type { Option } from '../../src/contract/generated.ts'

const OPTIONS: Option[] = [
  { value: 'dog', label: 'A dog', weight: 2 },
  { value: 7, label: 'A cat', active: false },
  { value: 'none', label: 'None', exclusive: true },
]
const labels = (rows: ReturnType<typeof rowsOf>) => rows.map(({ label }) => label)

describe('choices as rows', () => {
  it('give the same choices again, with a blank row that is not one', () => {
    const rows = rowsOf(OPTIONS)
    expect(labels(rows)).toEqual(['A dog', 'A cat', 'None', ''])
    expect(optionsOf(rows)).toEqual({ options: OPTIONS, problems: new Map() })
  })

  it('go on in a new blank row, and keep what is stored however the words change', () => {
    const rows = withCells(withCells(rowsOf(OPTIONS), 3, { label: ' A dog ' }), 0, {
      label: 'A hound',
      weight: '',
    })
    expect(labels(rows)).toEqual(['A hound', 'A cat', 'None', ' A dog ', ''])
    expect(optionsOf(rows).options).toEqual([
      { value: 'dog', label: 'A hound' },
      OPTIONS[1],
      OPTIONS[2],
      { value: 'a_dog', label: 'A dog' },
    ])
  })

  it('take cells of a spreadsheet from one on, also beyond the last row', () => {
    const rows = pasted(rowsOf(OPTIONS), 2, COLUMNS, 'Nothing\t0\r\n"A ""big"" fish"\t1.5\tmore\r\n\tx\r\n')
    expect(labels(rows)).toEqual(['A dog', 'A cat', 'Nothing', 'A "big" fish', '', ''])
    expect(rows.map(({ weight }) => weight)).toEqual(['2', '', '0', '1.5', 'x', ''])
    const { options, problems } = optionsOf(rows)
    expect(options[2]).toEqual({ value: 'none', label: 'Nothing', weight: 0, exclusive: true })
    expect([...problems.values()]).toEqual(['Give this choice words'])
  })

  it('name each row that is wrong, and what all are too many for', () => {
    const rows = pasted(rowsOf([]), 0, COLUMNS, 'A\tmuch')
    expect(optionsOf(rows).problems).toEqual(
      new Map([[rows[0].key, 'The weight must be a number, such as 2 or 0.5']]),
    )
    const many = Array.from({ length: 501 }, (_, i) => `Choice ${i}`).join('\n')
    expect(optionsOf(pasted(rowsOf([]), 0, COLUMNS, many)).problems).toEqual(
      new Map([[0, 'There may be 500 choices, and these are 501; use a list instead']]),
    )
  })

  it('are moved by one', () => {
    expect(labels(moved(rowsOf(OPTIONS), 0, 1))).toEqual(['A cat', 'A dog', 'None', ''])
  })
})
