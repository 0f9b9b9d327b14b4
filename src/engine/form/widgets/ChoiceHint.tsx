import type { Item } from '../../core/lookups.ts'
import { hintId } from './choices.ts'

/** The hint below a choice; nothing for a choice without one. `id` is that of the field. */
export function ChoiceHint({ id, item }: { id: string; item: Item }) {
  const own = hintId(id, item)
  return (
    own && (
      <div className="choice-hint" id={own}>
        {String(item.hint)}
      </div>
    )
  )
}
