import { Button, Classes, OverlayToaster, type ToastProps } from '@blueprintjs/core'
import { isAxiosError } from 'axios'
import { useEffect, useRef } from 'react'
import { SUCCESS_NOTICE_MS } from '../contract/limits.ts'
import { http } from '../engine/core/http.ts'
import { CONNECTION, causeOf, type Notice, subscribeToNotices } from '../engine/core/notices.ts'
import { RequestId } from '../engine/core/RequestId.tsx'
import { currentMessages } from './core/messageLog.ts'
import { currentSession, subscribeToSession } from './core/session.ts'

const LOOK: Record<Notice['kind'], Pick<ToastProps, 'intent' | 'icon' | 'timeout'>> = {
  success: { intent: 'success', icon: 'tick-circle', timeout: SUCCESS_NOTICE_MS },
  warning: { intent: 'warning', icon: 'warning-sign', timeout: 0 },
  error: { intent: 'danger', icon: 'error', timeout: 0 },
}

/** Timeout in ms of toasts with a button such as Undo, to read it, decide, and reach it by keyboard. */
const TO_DECIDE = 10_000

/** Renders notices as toasts; F6 focuses them, Escape closes them. Sign-out and success of their cause dismiss them. */
export default function Toasts() {
  const toaster = useRef<OverlayToaster>(null)
  useEffect(() => {
    const visibleToasts = new Map<string, { count: number; cause?: string }>()
    const count = (notice: Notice, key = keyOf(notice)) => {
      visibleToasts.set(key, { count: (visibleToasts.get(key)?.count ?? 0) + 1, cause: notice.cause })
    }
    const draw = (notice: Notice, key = keyOf(notice)) => {
      const onDismiss = () => visibleToasts.delete(key)
      const stays = hasButton(notice) && { timeout: TO_DECIDE }
      const dismiss = () => toaster.current?.dismiss(key)
      const content = contentOf(notice, visibleToasts.get(key)!.count, dismiss)
      toaster.current?.show({ ...LOOK[notice.kind], ...stays, ...content, onDismiss }, key)
    }
    let buttons = 0
    const buttonKey = () => `button ${buttons}`
    // A notice with a button replaces the previous one, which stays under the bell: several would cover the page.
    const show = (notice: Notice) => {
      if (hasButton(notice)) {
        toaster.current?.dismiss(buttonKey())
        buttons += 1
      }
      const key = hasButton(notice) ? buttonKey() : keyOf(notice)
      count(notice, key)
      draw(notice, key)
    }
    // Notices from before this chunk was loaded, without duplicates: the library cannot add the same key twice at once.
    const before = [...currentMessages()].reverse()
    const plain = before.filter((message) => !hasButton(message))
    for (const message of plain) count(message)
    for (const message of new Map(plain.map((one) => [keyOf(one), one])).values()) draw(message)
    const latest = before.findLast(hasButton)
    if (latest) show(latest)
    const unsubscribes = [
      subscribeToNotices(show),
      subscribeToCalls((causes) => {
        for (const [key, { cause }] of visibleToasts)
          if (cause && causes.includes(cause)) toaster.current?.dismiss(key)
      }),
      subscribeToSession(() => {
        if (!currentSession().user) toaster.current?.clear()
      }),
    ]
    document.addEventListener('keydown', focusOnF6)
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe()
      document.removeEventListener('keydown', focusOnF6)
    }
  }, [])
  return <OverlayToaster ref={toaster} position="top" />
}

function hasButton({ action, offer }: Notice): boolean {
  return action !== undefined || offer !== undefined
}

/** Equal for notices with the same kind, title and text. */
function keyOf({ kind, title, text }: Notice): string {
  return [kind, title, text].join('\n')
}

/** Dismisses toasts by cause: any response clears connection errors, a successful call clears its own. */
function subscribeToCalls(dismissCauses: (causes: string[]) => void): () => void {
  const { response } = http.interceptors
  const interceptor = response.use(
    (reply) => {
      dismissCauses([CONNECTION, causeOf(reply.config)])
      return reply
    },
    (error) => {
      if (isAxiosError(error) && error.response) dismissCauses([CONNECTION])
      throw error
    },
  )
  return () => response.eject(interceptor)
}

function contentOf(
  { title, text, action, offer, requestId }: Notice,
  count: number,
  dismiss: () => void,
): Pick<ToastProps, 'message' | 'action'> {
  const message = (
    <>
      {title && <strong>{title} </strong>}
      {text}
      {count > 1 && ` (${count})`}
      <RequestId id={requestId} />
      {/* The library's toast has room for one button. */}
      {offer && (
        <Button
          className="toast-offer"
          size="small"
          variant="outlined"
          text={offer.label}
          onClick={() => {
            dismiss()
            offer.run()
          }}
        />
      )}
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
