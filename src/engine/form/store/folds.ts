import { tabStorage } from '../../core/browserStorage.ts'

/** The groups of a form that are folded or opened, in the session storage; `initially` is how a group begins. */
export interface Folds {
  subscribe(listener: () => void): () => void
  isFolded(key: string, initially?: boolean): boolean
  set(key: string, isFolded: boolean, initially?: boolean): void
}

/** Maximum number of groups without an index; a form with more has one, and its groups can be folded. */
export const MAX_UNFOLDED_GROUPS = 6

/** The folds of a form whose groups cannot be folded. */
export const NO_FOLDS: Folds = { subscribe: () => () => {}, isFolded: () => false, set: () => {} }

/** Creates the folds of a form, by its name, such as the route of its screen. */
export function createFolds(form: string): Folds {
  const item = `folded ${form}`
  // Keys of the groups that the person has folded or unfolded since.
  let changed: string[] = JSON.parse(tabStorage.get(item) ?? '[]')
  const listeners = new Set<() => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isFolded: (key, initially = false) => changed.includes(key) !== initially,
    set(key, isFolded, initially = false) {
      const isChanged = isFolded !== initially
      if (changed.includes(key) === isChanged) return
      changed = isChanged ? [...changed, key] : changed.filter((one) => one !== key)
      tabStorage.set(item, JSON.stringify(changed))
      for (const listener of [...listeners]) listener()
    },
  }
}

/** Opens the folded groups around an element synchronously, so that the element can take the focus. */
export function unfold(element: Element | null | undefined): void {
  const content = element?.closest<HTMLElement>('.fold-content[hidden]')
  if (!content) return
  content.hidden = false
  content.parentElement?.querySelector<HTMLElement>('.fold')?.click()
  unfold(content.parentElement)
}

/** Id of the button that folds a group. */
export function foldId(idPrefix: string, key: string): string {
  return `${idPrefix}-${key}-fold`
}
