import { useEffect, useRef, useState } from 'react'
import { makeCall } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import { ErrorBoundary } from '../../engine/core/ErrorBoundary.tsx'
import { loadable } from '../../engine/core/loadable.tsx'
import { throttlePing, watchIdle } from '../core/idle.ts'
import { expire, signOut } from '../core/session.ts'
import { KEYS, store, storedTime } from '../core/storage.ts'

// Lazy: few sessions come near their end, and then there are two minutes to load it.
const IdleDialog = loadable(() => import('./IdleDialog.tsx'))

const INPUT = ['keydown', 'pointerdown', 'input', 'wheel']
const WAKING = ['focus', 'pageshow', 'visibilitychange']

/** Keeps the session alive while the user is active, and warns before it expires. */
export function IdleWarning() {
  const contract = useContract()
  const [msLeft, setMsLeft] = useState<number>()
  const check = useRef(() => {})
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
    // Once the warning is open, input alone does not extend the session.
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
  return warned ? (
    <ErrorBoundary what="The warning that your session ends" fallback={null}>
      <IdleDialog msLeft={msLeft} onStay={staySignedIn} onSignOut={() => signOut(contract)} />
    </ErrorBoundary>
  ) : null
}
