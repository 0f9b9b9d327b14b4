import { useContext, useEffect, useSyncExternalStore } from 'react'
import { fillPath } from '../../contract/call.ts'
import type { Crumb } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { canOpen } from './canOpen.ts'
import { useContract } from './contract.ts'
import { fillTemplate } from './fillTemplate.ts'
import { PageContext } from './pageContext.ts'
import { useUser } from './user.ts'

let current: Crumb[] = []
const listeners = new Set<() => void>()

/** Sets the breadcrumbs, from the outermost page to the page itself. */
export function setBreadcrumbs(breadcrumbs: Crumb[]): void {
  if (JSON.stringify(breadcrumbs) === JSON.stringify(current)) return
  current = breadcrumbs
  for (const listener of listeners) listener()
}

/** The breadcrumbs, for the shell to render; the last one is the page itself. */
export function useBreadcrumbs(): Crumb[] {
  return useSyncExternalStore(subscribe, () => current)
}

/** Sets the breadcrumbs of a record's page: parents that the user may open; `known` is undefined until it is loaded. */
export function useRecordBreadcrumbs(
  { route, parent = [] }: { route: string; parent?: Crumb[] },
  known: Values | undefined,
  title: string,
): void {
  const { inside } = useContext(PageContext)
  const contract = useContract()
  const { groups } = useUser()
  useEffect(() => {
    // A tab has the breadcrumbs of its detail.
    if (inside) return
    if (!known) return setBreadcrumbs([{ label: title, to: '' }])
    const parents = parent
      .filter(({ to }) => canOpen(contract, groups, to))
      .map(({ label, to }) => ({ label: fillTemplate(label, known), to: fillPath(to, known) }))
    setBreadcrumbs([...parents, { label: title, to: fillPath(route, known) }])
  })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
