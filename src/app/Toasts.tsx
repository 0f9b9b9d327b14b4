import { Button, Classes, OverlayToaster, type ToastProps } from '@blueprintjs/core'
import { isAxiosError } from 'axios'
import { useEffect, useRef } from 'react'
import { SUCCESS_NOTICE_MS } from '../contract/limits.ts'
import { RequestId } from '../engine/page/RequestId.tsx'
import { http } from '../engine/runtime/http.ts'
import { CONNECTION, causeOf, type Notice, subscribeToNotices } from '../engine/runtime/notices.ts'
import { currentMessages } from './header/messageLog.ts'
import { currentSession, subscribeToSession } from './signIn/session.ts'

const MOST = 5

const LOOK: Record<Notice['kind'], Pick<ToastProps, 'intent' | 'icon' | 'timeout'>> = {
  success: { intent: 'success', icon: 'tick-circle', timeout: SUCCESS_NOTICE_MS },
  warning: { intent: 'warning', icon: 'warning-sign', timeout: 0 },
  error: { intent: 'danger', icon: 'error', timeout: 0 },
}

/** How long an offer such as Undo stays, in ms: to be read, decided on and reached by the keyboard. */
const TO_DECIDE = 10_000

/** Draws notices at the top of the page; F6 leads to them and Escape closes them. They go with the person, and with their cause. */
export default function Toasts() {
  const toaster = useRef<OverlayToaster>(null)
  useEffect(() => {
    const visibleToasts = new Map<string, { count: number; cause?: string }>()
    const count = (notice: Notice) => {
      const key = keyOf(notice)
      visibleToasts.set(key, { count: (visibleToasts.get(key)?.count ?? 0) + 1, cause: notice.cause })
    }
    const draw = (notice: Notice) => {
      const key = keyOf(notice)
      const onDismiss = () => visibleToasts.delete(key)
      const stays = (notice.action || notice.offer) && { timeout: TO_DECIDE }
      const dismiss = () => toaster.current?.dismiss(key)
      const content = contentOf(notice, visibleToasts.get(key)!.count, dismiss)
      toaster.current?.show({ ...LOOK[notice.kind], ...stays, ...content, onDismiss }, key)
    }
    const show = (notice: Notice) => {
      count(notice)
      draw(notice)
    }
    // What was said before this part of the program was there: each text once, for the library draws none twice at once.
    const before = [...currentMessages()].reverse()
    for (const message of before) count(message)
    for (const message of new Map(before.map((one) => [keyOf(one), one])).values()) draw(message)
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
  return <OverlayToaster ref={toaster} position="top" maxToasts={MOST} />
}

/** The same for notices that say the same. */
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
