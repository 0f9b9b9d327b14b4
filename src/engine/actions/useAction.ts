import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { callOf, partsOf } from '../../contract/call.ts'
import type { Action } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { openBeside } from '../page/beside.ts'
import { makeCall, refresh } from '../runtime/calls.ts'
import { useContract } from '../runtime/contract.ts'
import { fillTemplate, fillTemplates } from '../runtime/fillTemplate.ts'
import { newIdempotencyKey } from '../runtime/idempotencyKey.ts'
import { linkTo } from '../runtime/link.ts'
import { notify } from '../runtime/notices.ts'
import { bodyOf } from './body.ts'
import { useOffered } from './useOffered.ts'

/** An action and what it acts on: a record, or only the parts of the page's address. */
export interface ActionContext {
  action: Action
  record?: Values
  params: Values
  /** Called with the reply once the call has succeeded. */
  onDone?: (reply: unknown) => void
}

/** Opens an action's form beside the page, with its values from what is known. */
export function openActionBeside({ beside, values = {}, initialValues = {} }: Action, known: Values): void {
  openBeside(beside!, fillTemplates(values, known), fillTemplates(initialValues, known))
}

/** The call of an action; `act` does nothing while it is under way, and rejects with the call's error. */
export function useAction({ action, record, params, onDone }: ActionContext) {
  const contract = useContract()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const isRunning = useRef(false)
  const [offer] = useOffered(action.offer ? [action.offer] : [], record)
  const sent = useRef<{ text: string; key: string }>(undefined)

  /** Reuse the idempotency key for the same body after a lost reply; another body gets a new key. */
  const keyOf = (body: unknown) => {
    const text = JSON.stringify(body ?? null)
    if (sent.current?.text !== text) sent.current = { text, key: newIdempotencyKey() }
    return sent.current.key
  }

  const send = async (call: string, body?: Values) => {
    const { method, path } = callOf(contract.endpoints[call])
    const fill = (part: string) => record?.[action.params?.[part] ?? part] ?? params[part]
    const filled = Object.fromEntries(partsOf(path).map((part) => [part, fill(part)]))
    const key = method === 'POST' ? keyOf(body) : undefined
    const reply = await makeCall<unknown>(contract, call, { params: filled, body, key }, client)
    sent.current = undefined
    void refresh(contract, client, call)
    return { reply, known: { ...params, ...record, ...valuesOf(reply) } }
  }

  const undo = async (call: string) => {
    // The HTTP client tells the person when it fails.
    const done = await send(call, bodyOf(action.undoValues, record)).catch(() => undefined)
    if (done) notify({ kind: 'success', text: 'Undone' })
  }

  const act = async (answers?: Values): Promise<void> => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    try {
      const { reply, known } = await send(action.call!, bodyOf(action.values, record, answers))
      if (action.done) {
        notify({
          kind: 'success',
          text: fillTemplate(action.done, known),
          ...(action.undo && { action: { label: 'Undo', run: () => void undo(action.undo!) } }),
          ...(offer && {
            offer: { label: offer.label, run: () => openActionBeside(offer, { ...params, ...record }) },
          }),
        })
      }
      const to = action.then && linkTo(action.then, known)
      if (to) navigate(to)
      onDone?.(reply)
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  return { act, busy }
}

function valuesOf(reply: unknown): Values {
  return reply !== null && typeof reply === 'object' && !Array.isArray(reply) ? (reply as Values) : {}
}
