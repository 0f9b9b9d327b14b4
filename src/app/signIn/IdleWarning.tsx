import { useEffect, useRef, useState } from 'react'
import { loadable } from '../../engine/page/loadable.tsx'
import { makeCall } from '../../engine/runtime/calls.ts'
import { useContract } from '../../engine/runtime/contract.ts'
import { KEYS, store, storedTime } from '../storage.ts'
import { throttlePing, watchIdle } from './idle.ts'
import { expire, signOut } from './session.ts'

// Most sessions never come near their end; those that do have two minutes left to fetch it.
const IdleDialog = loadable(() => import('./IdleDialog.tsx'))

const INPUT = ['keydown', 'pointerdown', 'input', 'wheel']
const WAKING = ['focus', 'pageshow', 'visibilitychange']

/** Keeps the session alive while the person does something, and warns before it ends. */
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
  return warned ? (
    <IdleDialog msLeft={msLeft} onStay={staySignedIn} onSignOut={() => signOut(contract)} />
  ) : null
}
