import { Spinner } from '@blueprintjs/core'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { trackFocus } from './focusTracking.ts'
import { loadStyle } from './loadStyle.ts'
import { useDelayed } from './useDelayed.ts'

interface Props {
  /** Description of the operation, which ends with an ellipsis. */
  text: string
  show: boolean
}

const OTHER_DIALOG = '[role="dialog"]:not(.loading-overlay)'

/** Covers the whole page during an operation in which nothing may be edited; not used to save a form. */
export function LoadingOverlay({ text, show }: Props) {
  const isVisible = useDelayed(show)
  useEffect(() => void loadStyle('overlay'), [])
  return (
    <>
      <span className="visually-hidden" role="status">
        {isVisible ? text : ''}
      </span>
      {isVisible && createPortal(<Cover text={text} />, document.body)}
    </>
  )
}

function Cover({ text }: Pick<Props, 'text'>) {
  const cover = useRef<HTMLDivElement>(null)
  // In a layout effect, so that no key reaches the page below once the cover is visible.
  useLayoutEffect(() => {
    const main = document.querySelector('main')
    const covering = cover.current
    const { restore } = trackFocus()
    main?.setAttribute('aria-busy', 'true')
    // A dialog below traps the focus.
    if (!document.querySelector(OTHER_DIALOG)) covering?.focus()
    document.addEventListener('keydown', stopKey, true)
    return () => {
      main?.removeAttribute('aria-busy')
      document.removeEventListener('keydown', stopKey, true)
      // An element that an error focused meanwhile keeps the focus.
      restore(covering)
    }
  }, [])
  return (
    <div
      ref={cover}
      className="loading-overlay"
      role="dialog"
      aria-modal="true"
      aria-busy="true"
      aria-label={text}
      tabIndex={-1}
    >
      <Spinner aria-hidden="true" />
      <p aria-hidden="true">{text}</p>
    </div>
  )
}

/** Blocks keys, except those of the browser. The page is not inert, so that an error can be focused at once. */
function stopKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || /^F\d/.test(event.key)) return
  event.preventDefault()
  event.stopPropagation()
}
