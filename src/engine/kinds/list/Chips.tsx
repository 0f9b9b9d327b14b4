import type { Chip, Counted } from '../../../contract/generated.ts'
import { rowsWord } from '../../core/results.ts'

interface Props {
  chips: Chip[]
  /** Values of the applied filters. */
  applied: Record<string, string>
  /** Number of rows that match each, by its `count`. */
  counts?: Record<string, number>
  counted?: Counted
  onApply: (texts: Record<string, string>) => void
}

/** Quick filters with the number of rows that match. At most one is on; none if their filters have other values. */
export function Chips({ chips, applied, counts, counted, onApply }: Props) {
  const none = Object.fromEntries(namesOf(chips).map((name) => [name, '']))
  return (
    <ul className="chips" aria-label="Quick filters">
      {chips.map((chip) => {
        const count = counts?.[chip.count]
        const of = count === undefined ? undefined : rowsWord(counted, count)
        return (
          <li key={chip.label}>
            <button
              type="button"
              className={chip.warn && count ? 'chip chip-warn' : 'chip'}
              title={of && `${count} ${of}`}
              aria-pressed={isOn(chip, chips, applied)}
              onClick={() => onApply(isOn(chip, chips, applied) ? none : { ...none, ...chip.filter })}
            >
              {chip.label} <b>{count ?? ''}</b> {of && <span className="visually-hidden">{of}</span>}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** Names of the filters that the quick filters set. */
function namesOf(chips: Chip[]): string[] {
  return [...new Set(chips.flatMap(({ filter }) => Object.keys(filter)))]
}

function isOn({ filter }: Chip, chips: Chip[], applied: Record<string, string>): boolean {
  return namesOf(chips).every((name) => (applied[name] ?? '') === (filter[name] ?? ''))
}

/** Names of the filters that the active quick filter sets. */
export function filtersOfChip(chips: Chip[], applied: Record<string, string>): string[] {
  return Object.keys(chips.find((chip) => isOn(chip, chips, applied))?.filter ?? {})
}
