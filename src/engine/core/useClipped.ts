import { type RefObject, useLayoutEffect, useState } from 'react'

/** True if an element with `data-clip` inside `box` is clipped by the style sheet; measured again on window resize. */
export function useClipped(box: RefObject<HTMLElement | null>, dependency: unknown): boolean {
  const [clipped, setClipped] = useState(false)
  useLayoutEffect(() => {
    const measure = () => {
      const parts = [...(box.current?.querySelectorAll('[data-clip]') ?? [])]
      setClipped(parts.some((part) => part.scrollHeight > part.clientHeight + 1))
    }
    measure()
    window.addEventListener('resize', measure)
    return () => window.removeEventListener('resize', measure)
  }, [box, dependency])
  return clipped
}
