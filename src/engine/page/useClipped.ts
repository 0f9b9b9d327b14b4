import { type RefObject, useLayoutEffect, useState } from 'react'

/** Whether something inside `box` marked `data-clip` is cut short by the style sheet, at the room it now has. */
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
