import { Classes, OverlayToaster, type ToastProps } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'
import { type Notice, onNotice } from '../engine/notices.ts'
import { recentMessages } from './recent.ts'
import { currentSession, hearSession } from './session.ts'

const MOST = 5

const LOOK: Record<Notice['kind'], Pick<ToastProps, 'intent' | 'icon' | 'timeout'>> = {
  success: { intent: 'success', icon: 'tick-circle', timeout: 3000 },
  warning: { intent: 'warning', icon: 'warning-sign', timeout: 0 },
  error: { intent: 'danger', icon: 'error', timeout: 0 },
}

/** How long an offer such as Undo stays, in ms: to be read, decided on and reached by the keyboard. */
const TO_DECIDE = 10_000

/** Draws notices at the top of the page; F6 leads to them and Escape closes them. They go with the person. */
export default function Toasts() {
  const toaster = useRef<OverlayToaster>(null)
  useEffect(() => {
    const counts = new Map<string, number>()
    const show = (notice: Notice) => {
      const key = [notice.kind, notice.title, notice.text].join('\n')
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      const onDismiss = () => counts.delete(key)
      const stays = notice.action && { timeout: TO_DECIDE }
      toaster.current?.show({ ...LOOK[notice.kind], ...stays, ...contentOf(notice, count), onDismiss }, key)
    }
    // What was said before this part of the program was there.
    for (const message of [...recentMessages()].reverse()) show(message)
    const stops = [
      onNotice(show),
      hearSession(() => {
        if (!currentSession().user) toaster.current?.clear()
      }),
    ]
    document.addEventListener('keydown', focusOnF6)
    return () => {
      for (const stop of stops) stop()
      document.removeEventListener('keydown', focusOnF6)
    }
  }, [])
  return <OverlayToaster ref={toaster} position="top" maxToasts={MOST} />
}

function contentOf({ title, text, action }: Notice, count: number): Pick<ToastProps, 'message' | 'action'> {
  const message = (
    <>
      {title && <strong>{title} </strong>}
      {text}
      {count > 1 && ` (${count})`}
    </>
  )
  return { message, action: action && { text: action.label, onClick: action.run } }
}

function focusOnF6(event: KeyboardEvent): void {
  const toast = document.querySelector<HTMLElement>(`.${Classes.TOAST}`)
  if (event.key !== 'F6' || !toast) return
  event.preventDefault()
  toast.focus()
}
