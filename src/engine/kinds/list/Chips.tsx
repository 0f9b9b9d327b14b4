import type { Chip } from '../../../contract/generated.ts'

interface Props {
  chips: Chip[]
  /** Values of the applied filters. */
  applied: Record<string, string>
  /** Number of rows that match each, by its `count`. */
  counts?: Record<string, number>
  /** What the counts count. */
  of?: string
  onApply: (texts: Record<string, string>) => void
}

/** Quick filters with the number of rows that match. At most one is on; none if their filters have other values. */
export function Chips({ chips, applied, counts, of, onApply }: Props) {
  const none = Object.fromEntries(namesOf(chips).map((name) => [name, '']))
  return (
    <ul className="chips" aria-label="Quick filters">
      {chips.map((chip) => (
        <li key={chip.label}>
          <button
            type="button"
            className={chip.warn && counts?.[chip.count] ? 'chip chip-warn' : 'chip'}
            title={counts && of && `${counts[chip.count]} ${of}`}
            aria-pressed={isOn(chip, chips, applied)}
            onClick={() => onApply(isOn(chip, chips, applied) ? none : { ...none, ...chip.filter })}
          >
            {chip.label} <b>{counts?.[chip.count] ?? ''}</b>{' '}
            {counts && of && <span className="visually-hidden">{of}</span>}
          </button>
        </li>
      ))}
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
