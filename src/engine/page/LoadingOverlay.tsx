import { Spinner } from '@blueprintjs/core'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { loadStyle } from '../runtime/loadStyle.ts'
import { trackFocus } from './focusTracking.ts'
import { useDelayed } from './useDelayed.ts'

interface Props {
  /** What is being done, in words that end with an ellipsis. */
  text: string
  show: boolean
}

const OTHER_DIALOG = '[role="dialog"]:not(.loading-overlay)'

/** Covers the whole page while something is committed that must not be changed meanwhile; never for the save of a form. */
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
  // Before the cover is seen: no key reaches the page below it.
  useLayoutEffect(() => {
    const main = document.querySelector('main')
    const covering = cover.current
    const { restore } = trackFocus()
    main?.setAttribute('aria-busy', 'true')
    // A dialog below keeps the focus inside of itself.
    if (!document.querySelector(OTHER_DIALOG)) covering?.focus()
    document.addEventListener('keydown', stopKey, true)
    return () => {
      main?.removeAttribute('aria-busy')
      document.removeEventListener('keydown', stopKey, true)
      // What an error moved the focus to meanwhile keeps it.
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

/** The page is not made inert, so that an error can take the focus at once; only keys do not reach it. Those of the browser do. */
function stopKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || /^F\d/.test(event.key)) return
  event.preventDefault()
  event.stopPropagation()
}
