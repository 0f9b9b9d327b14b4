import { useCallback, useSyncExternalStore } from 'react'
import type { ItemLabel } from '../../../contract/describeAnswer.ts'
import { explainField } from '../../../contract/meta/explainField.ts'
import { ItemLabelsProvider } from '../../core/ItemLabelsProvider.tsx'
import { useItemLabels } from '../../core/useItemLabels.ts'
import type { FormStore } from '../store/formStore.ts'

interface Props {
  id: string
  store: FormStore
  paths: string[]
  about: string
}

/** Explains the conditions, calculations and checks of some fields, by the current answers. */
export default function WhyPanel(props: Props) {
  return (
    <ItemLabelsProvider>
      <Reasons {...props} />
    </ItemLabelsProvider>
  )
}

function Reasons({ id, store, paths, about }: Props) {
  const rendered = useSyncExternalStore(store.subscribe, store.groups)
  const describe = useCallback(
    (itemLabel: ItemLabel) =>
      paths.flatMap((path) => {
        const { at, groups, conditionContext } = store.placeAt(path)
        const name = at ? path.slice(at.length + 1) : path
        return explainField(groups, name, conditionContext, itemLabel)
      }),
    [store, rendered, paths],
  )
  const sentences = new Set(useItemLabels(describe))
  return (
    // Focusable, so that a click inside does not move the focus out and close it.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls.
    <div id={id} className="why-panel" role="group" aria-label={`Why? ${about}`} tabIndex={-1}>
      {[...sentences].map((words) => (
        <p key={words}>{words}</p>
      ))}
    </div>
  )
}
