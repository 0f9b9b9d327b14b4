import { useEffect } from 'react'

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])'
const ROW = 'tr, li, [role="row"], article, fieldset'
const REGION = 'section, main, [role="dialog"], [role="alertdialog"]'

/** A focus position that outlives its element: when that is removed, a neighbour replaces it. */
interface Place {
  element: Element
  /** Index of the element among the focusable ones of its row, to focus the same button in the next row. */
  index: number
  pathname: string
}

const places = new Set<Place>()
let focused: Place | undefined
/** A control that lost the focus because it was disabled, such as a button while it saves, and what has the focus instead. */
let displaced: { from: HTMLElement; to: Element } | undefined

/**
 * While mounted, moves the focus to a neighbour when the focused element is removed or disabled, and back once the element
 * is no longer disabled, unless the user has gone on meanwhile.
 */
export function useFocusTracking(): void {
  useEffect(() => {
    const observer = new MutationObserver(onMutations)
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', onFocusIn)
    document.addEventListener('focusout', onFocusMoves, true)
    document.addEventListener('focusout', onFocusOut)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', onFocusIn)
      document.removeEventListener('focusout', onFocusMoves, true)
      document.removeEventListener('focusout', onFocusOut)
      setFocused(undefined)
    }
  }, [])
}

/** Records the focused element; `restore` moves the focus back to it, or to its replacement, from a closing element. */
export function trackFocus(): { restore: (closing?: Element | null) => void } {
  const at = presentFocus()
  const place = at && at !== document.body ? placeOf(at) : undefined
  if (place) places.add(place)
  return {
    restore: (closing) => {
      if (!place) return
      places.delete(place)
      if (isFocusLost() || closing?.contains(document.activeElement)) focusPlace(place)
    },
  }
}

/** The focused element; while the focus of a disabled control is elsewhere or lost, that control. */
function presentFocus(): Element | null | undefined {
  const active = document.activeElement
  if (isFocusLost()) return focused?.element
  return displaced?.to === active ? displaced?.from : active
}

function placeOf(element: Element): Place {
  const row = element.closest(ROW)
  return {
    element,
    index: row ? focusables(row).indexOf(element as HTMLElement) : 0,
    pathname: location.pathname,
  }
}

function setFocused(place: Place | undefined): void {
  if (focused) places.delete(focused)
  if (place) places.add(place)
  focused = place
}

function onFocusIn({ target }: FocusEvent): void {
  setFocused(placeOf(target as Element))
}

/**
 * Between `focusout` and `focusin` the page has the focus. An element that a list removes on blur must not bring the
 * focus back, so this listens in the capture phase, before the list.
 */
function onFocusMoves({ relatedTarget }: FocusEvent): void {
  if (relatedTarget) setFocused(placeOf(relatedTarget as Element))
}

/** Forgets the focus if the user clicked outside of all controls, but not if the element was removed or disabled. */
function onFocusOut({ target, relatedTarget }: FocusEvent): void {
  const { element } = focused ?? {}
  if (relatedTarget || element !== target) return
  queueMicrotask(() => {
    if (focused?.element === element && element?.isConnected && !element.matches(':disabled'))
      setFocused(undefined)
  })
}

function onMutations(records: MutationRecord[]): void {
  for (const place of places) for (const record of records) follow(place, record, records)
  returnFocus()
  if (focused && isFocusLost()) focusInstead(focused)
}

/** Moves the focus to a position that has lost it, or to its neighbour. */
function focusInstead(place: Place): void {
  const from = place.element
  focusPlace(place)
  if (from instanceof HTMLElement && from.matches(':disabled') && document.activeElement)
    displaced = { from, to: document.activeElement }
}

function returnFocus(): void {
  if (!displaced || (displaced.from.isConnected && displaced.from.matches(':disabled'))) return
  const { from, to } = displaced
  displaced = undefined
  if (from.isConnected && document.activeElement === to) from.focus({ preventScroll: true })
}

function follow(place: Place, record: MutationRecord, records: MutationRecord[]): void {
  const removed = [...record.removedNodes].find((node) => node.contains(place.element)) as Element | undefined
  if (!removed || place.element.isConnected) return
  // Children of the body, such as a dialog, have no neighbours.
  if (record.target === document.body) {
    places.delete(place)
    return
  }
  const next = elementFrom(record.nextSibling, 'next') ?? elementFrom(record.previousSibling, 'previous')
  const replacement = removed.matches(ROW) ? undefined : addedFor(record, records)
  place.element = replacement ?? next ?? (record.target as Element)
}

/** The element that React inserted at the same position in the same commit, such as Unretire for Retire. */
function addedFor(removal: MutationRecord, records: MutationRecord[]): Element | undefined {
  const { target, previousSibling, nextSibling } = removal
  const added = records
    .filter((one) => one.target === target)
    .filter((one) => one.previousSibling === previousSibling || one.nextSibling === nextSibling)
    .flatMap((one) => [...one.addedNodes])
  return added.find(
    (node): node is Element => node instanceof Element && node.isConnected && firstIn(node) !== undefined,
  )
}

function elementFrom(node: Node | null, side: 'next' | 'previous'): Element | undefined {
  let at = node
  while (at && !(at instanceof Element)) at = side === 'next' ? at.nextSibling : at.previousSibling
  return at ?? undefined
}

function isFocusLost(): boolean {
  const at = document.activeElement
  return !at || at === document.body || !at.isConnected
}

/** Focuses the position, or its neighbour. Does nothing on another page, where the heading gets the focus. */
function focusPlace({ element, index, pathname }: Place): void {
  if (!element.isConnected || pathname !== location.pathname) return
  const inside = element.matches(REGION) ? undefined : (focusables(element)[index] ?? firstIn(element))
  const target = inside ?? headingOf(element)
  target?.focus({ preventScroll: true })
}

function firstIn(element: Element): HTMLElement | undefined {
  return element.matches(FOCUSABLE) ? (element as HTMLElement) : focusables(element)[0]
}

function focusables(element: Element): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>(FOCUSABLE)]
}

function headingOf(element: Element): HTMLElement | null | undefined {
  const heading = element.closest(REGION)?.querySelector<HTMLElement>('h1, h2, h3')
  if (heading) heading.tabIndex = -1
  return heading
}
