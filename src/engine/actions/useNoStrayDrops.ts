import { useEffect } from 'react'

/** Prevents the browser from opening a file that is dropped outside of the drop area. */
export function useNoStrayDrops(): void {
  useEffect(() => {
    const stop = (event: Event) => event.preventDefault()
    document.addEventListener('dragover', stop)
    document.addEventListener('drop', stop)
    return () => {
      document.removeEventListener('dragover', stop)
      document.removeEventListener('drop', stop)
    }
  }, [])
}
