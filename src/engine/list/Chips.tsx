import type { Chip } from '../../contract/generated.ts'

interface Props {
  chips: Chip[]
  /** Values of filters in force. */
  applied: Record<string, string>
  /** How many rows each leaves, by its `count`. */
  counts?: Record<string, number>
  onApply: (texts: Record<string, string>) => void
}

/** Quick filters with how many rows they leave; one of them is on, or none where other filters say the same names. */
export function Chips({ chips, applied, counts, onApply }: Props) {
  const none = Object.fromEntries(namesOf(chips).map((name) => [name, '']))
  return (
    <ul className="chips" aria-label="Quick filters">
      {chips.map((chip) => (
        <li key={chip.label}>
          <button
            type="button"
            className={chip.warn && counts?.[chip.count] ? 'chip chip-warn' : 'chip'}
            aria-pressed={isOn(chip, chips, applied)}
            onClick={() => onApply(isOn(chip, chips, applied) ? none : { ...none, ...chip.filter })}
          >
            {chip.label} <b>{counts?.[chip.count] ?? ''}</b>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The filters that quick filters set. */
function namesOf(chips: Chip[]): string[] {
  return [...new Set(chips.flatMap(({ filter }) => Object.keys(filter)))]
}

function isOn({ filter }: Chip, chips: Chip[], applied: Record<string, string>): boolean {
  return namesOf(chips).every((name) => (applied[name] ?? '') === (filter[name] ?? ''))
}

/** The filters that a quick filter which is on stands for. */
export function filtersOfChip(chips: Chip[], applied: Record<string, string>): string[] {
  return Object.keys(chips.find((chip) => isOn(chip, chips, applied))?.filter ?? {})
}
