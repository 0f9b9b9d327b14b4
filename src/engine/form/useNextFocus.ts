import { useLayoutEffect, useRef } from 'react'
import { focusControl } from './ErrorSummary.tsx'
import type { FormContext } from './formContext.ts'
import { join } from './paths.ts'
import type { RenderedGroup } from './renderedGroups.ts'

/** Moves the focus to the next field, or the one before, when the field that has it goes from the page. */
export function useNextFocus({ store, idPrefix, pathOf }: FormContext, groups: RenderedGroup[]): void {
  const focused = useRef<{ element: Element; path: string }>(undefined)
  const order = useRef<string[]>([])
  useLayoutEffect(
    () =>
      // Still with the old fields on the page.
      store.subscribe(() => {
        const element = document.activeElement
        const id = element?.closest(`[id^="${idPrefix}."]`)?.id
        focused.current = element && id ? { element, path: pathOf(id) } : undefined
      }),
    [store, idPrefix, pathOf],
  )
  useLayoutEffect(() => {
    const before = order.current
    order.current = groups.flatMap(({ at, fields }) => fields.map((f) => join(at, f.name)))
    const was = focused.current
    if (!was || was.element.isConnected) return
    focused.current = undefined
    const i = before.findIndex(
      (path) => was.path.startsWith(path) && !/^\w/.test(was.path.slice(path.length)),
    )
    const still = new Set(order.current)
    const near = [...before.slice(i + 1), ...before.slice(0, Math.max(i, 0)).reverse()]
    near.filter((path) => still.has(path)).some((path) => focusControl(join(idPrefix, path)))
  }, [groups, idPrefix])
}
