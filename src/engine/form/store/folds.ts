import { tabStorage } from '../../core/browserStorage.ts'

/** The folded groups of a form, in the session storage. */
export interface Folds {
  subscribe(listener: () => void): () => void
  isFolded(key: string): boolean
  set(key: string, isFolded: boolean): void
}

/** Maximum number of groups without an index; a form with more has one, and its groups can be folded. */
export const FEW_GROUPS = 6

/** The folds of a form whose groups cannot be folded. */
export const NO_FOLDS: Folds = { subscribe: () => () => {}, isFolded: () => false, set: () => {} }

/** Creates the folds of a form, by its name, such as the route of its screen. */
export function createFolds(form: string): Folds {
  const item = `folded ${form}`
  let folded: string[] = JSON.parse(tabStorage.get(item) ?? '[]')
  const listeners = new Set<() => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isFolded: (key) => folded.includes(key),
    set(key, isFolded) {
      if (folded.includes(key) === isFolded) return
      folded = isFolded ? [...folded, key] : folded.filter((one) => one !== key)
      tabStorage.set(item, JSON.stringify(folded))
      for (const listener of [...listeners]) listener()
    },
  }
}

/** Opens the folded group around an element synchronously, so that the element can take the focus. */
export function unfold(element: Element | null | undefined): void {
  const content = element?.closest<HTMLElement>('.fold-content[hidden]')
  if (!content) return
  content.hidden = false
  content.parentElement?.querySelector<HTMLElement>('.fold')?.click()
}

/** Id of the button that folds a group. */
export function foldId(idPrefix: string, key: string): string {
  return `${idPrefix}-${key}-fold`
}
