import { useSyncExternalStore } from 'react'
import { isAsked, isDrawn } from '../../contract/fieldTypes.ts'
import { isSet } from '../../contract/when.ts'
import { FEW_GROUPS, type Folds } from './folds.ts'
import type { FormStore } from './formStore.ts'
import type { RenderedGroup } from './renderedGroups.ts'
import { SectionIndex } from './SectionIndex.tsx'

interface Props {
  store: FormStore
  idPrefix: string
  folds: Folds
}

/** The groups of a long form with what they still need, to jump to; a folded one opens. */
export function FormIndex({ store, idPrefix, folds }: Props) {
  const groups = useSyncExternalStore(store.subscribe, store.groups)
  const listed = groups.filter(({ fields, label }) => label && fields.some(isDrawn))
  if (listed.length <= FEW_GROUPS) return null
  return (
    <SectionIndex
      sections={listed.map((group) => ({
        id: `${idPrefix}-${group.key}`,
        heading: foldId(idPrefix, group.key),
        label: group.label,
        open: { missing: missingIn(group) },
        onGo: () => folds.set(group.key, false),
      }))}
    />
  )
}

/** Id of the button that folds a group. */
export function foldId(idPrefix: string, key: string): string {
  return `${idPrefix}-${key}-fold`
}

function missingIn({ fields, required, values }: RenderedGroup): number {
  return fields.filter((field) => isAsked(field) && required.has(field.name) && !isSet(values[field.name]))
    .length
}
