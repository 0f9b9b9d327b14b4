/** Texts by name in a storage of the browser. */
interface BrowserStorage {
  get(name: string): string | null
  /** Stores a text, or removes it if it is null. */
  set(name: string, value: string | null): void
}

/** Wraps a storage, which throws where the browser forbids it or it is full: texts are in memory then. */
function withMemory(storage: () => Storage): BrowserStorage {
  const memory = new Map<string, string>()
  return {
    get(name) {
      try {
        return memory.get(name) ?? storage().getItem(name)
      } catch {
        return null
      }
    },
    set(name, value) {
      memory.delete(name)
      try {
        if (value === null) storage().removeItem(name)
        else storage().setItem(name, value)
      } catch {
        if (value !== null) memory.set(name, value)
      }
    },
  }
}

/** Settings of this browser; other tabs get a `storage` event of a change. */
export const browserStorage = withMemory(() => localStorage)

/** What this tab remembers until it is closed. */
export const tabStorage = withMemory(() => sessionStorage)
