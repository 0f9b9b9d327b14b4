import { useEffect } from 'react'

/** Keeps a file that misses the area it was dropped for from taking the place of the page. */
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
