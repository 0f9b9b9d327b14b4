import { Button, NonIdealState } from '@blueprintjs/core'

/** Says why there is nothing to list, and what to do about it. */
export function EmptyList({ empty, onClear }: { empty?: string; onClear?: () => void }) {
  if (onClear) {
    return (
      <NonIdealState
        icon="filter"
        iconSize={32}
        description="Nothing matches these filters"
        action={<Button text="Clear filters" onClick={onClear} />}
      />
    )
  }
  return <NonIdealState icon="inbox" iconSize={32} description={empty ?? 'There is nothing here yet'} />
}
