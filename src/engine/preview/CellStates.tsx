import { HTMLTable } from '@blueprintjs/core'
import { type CellName, cells } from '../registry.ts'
import { useContract } from '../runtime/contract.ts'

const VALUES: Partial<Record<CellName, [field: string, value: unknown][]>> = {
  text: [['name', 'Ann']],
  date: [['made', '2026-06-04']],
  datetime: [['at', '2026-06-04T09:42:00Z']],
  ago: [['made', '2026-06-04']],
  hours: [['spent', 5400]],
  lookup: [
    ['friends', [1, 3]],
    ['colour', 2],
  ],
  tag: [
    ['colour', 1],
    ['urgent', 'yes'],
    ['urgent', 'no'],
  ],
  number: [['count', 12_345]],
  yesno: [
    ['urgent', 'yes'],
    ['urgent', 'not_known'],
  ],
  changes: [['name', [{ field: 'name', label: 'Name', from: 'Ann', to: 'Anna' }]]],
  size: [['count', 123_456]],
}

/** What a cell is shown with, at last with nothing; a text where no value is said for it. */
function statesOf(name: CellName): [field: string, value: unknown][] {
  const values = VALUES[name] ?? [['name', 'Ann']]
  return [...values, [values[0][0], null]]
}

/** Every cell with values, and with none. */
export function CellStates() {
  const { properties } = useContract().entities.thing
  return (
    <HTMLTable compact bordered>
      <thead>
        <tr>
          <th scope="col">Cell</th>
          <th scope="col">Value</th>
          <th scope="col">Drawn</th>
        </tr>
      </thead>
      <tbody>
        {(Object.keys(cells) as CellName[]).flatMap((name) =>
          statesOf(name).map(([field, value], i) => {
            const Cell = cells[name]
            return (
              <tr key={`${name} ${JSON.stringify(value)}`}>
                <th scope="row">{i === 0 && name}</th>
                <td>{JSON.stringify(value)}</td>
                <td>
                  <Cell value={value} property={properties[field]} row={{}} />
                </td>
              </tr>
            )
          }),
        )}
      </tbody>
    </HTMLTable>
  )
}
