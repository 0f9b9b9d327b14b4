import { Checkbox } from '@blueprintjs/core'
import type { Day } from '../../contract/week.ts'
import type { Item } from '../runtime/lookups.ts'

const HALVES = [
  ['am', 'Morning'],
  ['pm', 'Afternoon'],
] as const

interface Props {
  days: Day<Item>[]
  /** The set's id, which begins those of the controls. */
  id: string
  chosen: unknown[]
  isWrong: boolean
  onToggle: (item: Item) => void
  onBlur: (event: React.FocusEvent) => void
}

/** Half days to choose from, as a table of days and halves. */
export function WeekGrid({ days, id, chosen, isWrong, onToggle, onBlur }: Props) {
  return (
    <table className="week">
      <thead>
        <tr>
          <td />
          {days.map(({ name }) => (
            <th key={name} scope="col">
              <abbr title={name}>{name.slice(0, 3)}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {HALVES.map(([half, label]) => (
          <tr key={half}>
            <th scope="row">{label}</th>
            {days.map((day) => (
              <td key={day.name}>
                <Checkbox
                  id={`${id}-${day[half].value}`}
                  aria-label={day[half].label}
                  checked={chosen.includes(day[half].value)}
                  aria-invalid={isWrong || undefined}
                  onChange={() => onToggle(day[half])}
                  onBlur={onBlur}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
