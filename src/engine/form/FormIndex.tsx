import { useSyncExternalStore } from 'react'
import { isEditable, isRendered } from '../../contract/fieldTypes.ts'
import { isSet } from '../../contract/when.ts'
import { SectionIndex } from './SectionIndex.tsx'
import { type Folds, foldId, MAX_UNFOLDED_GROUPS } from './store/folds.ts'
import type { FormStore } from './store/formStore.ts'
import type { RenderedGroup } from './store/renderedGroups.ts'

interface Props {
  store: FormStore
  idPrefix: string
  folds: Folds
}

/** Links to the groups of a long form, with their numbers of missing answers; a link unfolds its group. */
export function FormIndex({ store, idPrefix, folds }: Props) {
  const groups = useSyncExternalStore(store.subscribe, store.groups)
  // A group under another one is only visible while that one is open.
  const open = (group: RenderedGroup) => {
    for (const one of groups)
      if (one === group || one.key === group.under) folds.set(one.key, false, one.folded)
  }
  const listed = groups.filter(({ fields, label }) => label && fields.some(isRendered))
  if (listed.length <= MAX_UNFOLDED_GROUPS) return null
  return (
    <SectionIndex
      sections={listed.map((group) => ({
        id: `${idPrefix}-${group.key}`,
        heading: foldId(idPrefix, group.key),
        label: group.label,
        open: { missing: missingIn(group) },
        onGo: () => open(group),
      }))}
    />
  )
}

function missingIn({ fields, required, values }: RenderedGroup): number {
  return fields.filter((field) => isEditable(field) && required.has(field.name) && !isSet(values[field.name]))
    .length
}
