import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useEffect, useRef, useState } from 'react'
import { Dialog } from '../../engine/page/Dialog.tsx'
import { makeCall } from '../../engine/runtime/calls.ts'
import { useContract } from '../../engine/runtime/contract.ts'
import { KEYS, store, storedTime } from '../storage.ts'
import { announcedSeconds, throttlePing, watchIdle } from './idle.ts'
import { expire, signOut } from './session.ts'

const INPUT = ['keydown', 'pointerdown', 'input', 'wheel']
const WAKING = ['focus', 'pageshow', 'visibilitychange']

/** Keeps the session alive while the person does something, and warns before it ends. */
export function IdleWarning() {
  const contract = useContract()
  const [msLeft, setMsLeft] = useState<number>()
  const check = useRef(() => {})
  const stay = useRef<HTMLButtonElement>(null)
  const warned = msLeft !== undefined

  useEffect(() => {
    const lastResponse = () => storedTime('lastResponse')
    const idle = watchIdle({ lastResponse, show: setMsLeft, end: () => expire(contract) })
    check.current = idle.check
    const onStorage = ({ key }: StorageEvent) => {
      if (key === KEYS.lastResponse) idle.check()
    }
    addEventListener('storage', onStorage)
    for (const name of WAKING) addEventListener(name, idle.check, true)
    return () => {
      idle.stop()
      removeEventListener('storage', onStorage)
      for (const name of WAKING) removeEventListener(name, idle.check, true)
    }
  }, [contract])

  useEffect(() => {
    // Once there is a question, it takes an answer.
    if (warned) return
    const ping = throttlePing({
      lastPing: () => storedTime('lastPing'),
      pinged: (at) => store('lastPing', String(at)),
      send: () => makeCall(contract, 'auth.ping').catch(() => undefined),
    })
    for (const name of INPUT) addEventListener(name, ping.input, { capture: true, passive: true })
    return () => {
      ping.stop()
      for (const name of INPUT) removeEventListener(name, ping.input, true)
    }
  }, [contract, warned])

  const staySignedIn = async () => {
    await makeCall(contract, 'auth.ping').catch(() => undefined)
    check.current()
  }
  return (
    <Dialog
      isOpen={warned}
      title="You are about to be signed out"
      role="alertdialog"
      isCloseButtonShown={false}
      canOutsideClickClose={false}
      onClose={staySignedIn}
      onOpened={() => stay.current?.focus()}
    >
      <DialogBody>
        <p aria-hidden="true">{sentence(Math.ceil((msLeft ?? 0) / 1000))}</p>
        <p className="visually-hidden" aria-live="assertive">
          {sentence(announcedSeconds(msLeft ?? 0))}
        </p>
      </DialogBody>
      <DialogFooter
        minimal
        actions={
          <>
            <Button text="Sign out" onClick={() => signOut(contract)} />
            <Button text="Stay signed in" intent="primary" ref={stay} onClick={staySignedIn} />
          </>
        }
      />
    </Dialog>
  )
}

function sentence(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const rest = seconds % 60
  const parts = [
    minutes && `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
    rest && `${rest} ${rest === 1 ? 'second' : 'seconds'}`,
  ]
  return `Nothing was done for a while. You will be signed out in ${parts.filter(Boolean).join(' ') || 'a moment'}.`
}
