import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { callOf, partsOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Action } from '../../contract/generated.ts'
import { isSet, type Values } from '../../contract/when.ts'
import { makeCall, refresh } from '../core/calls.ts'
import { useContract } from '../core/contract.ts'
import { fillTemplate, fillTemplates } from '../core/fillTemplate.ts'
import { newIdempotencyKey } from '../core/idempotencyKey.ts'
import { linkTo } from '../core/link.ts'
import { notify } from '../core/notices.ts'
import { openSidePanel } from '../core/sidePanel.ts'
import { useWaitingSave } from '../core/waitingSaves.ts'
import { bodyOf } from './body.ts'
import { useOfferedActions } from './useOfferedActions.ts'
import { usePassHolds } from './usePassHolds.ts'

/** An action and its target: a record, or only the path parameters of the page. */
export interface ActionContext {
  action: Action
  record?: Values
  params: Values
  /** Called once the call has succeeded, with the reply, and with a function that undoes it if the action has 'undo'. */
  onDone?: (reply: unknown, undo?: () => void) => void
  /** Decides when the queries that the call touched are refetched; omitted: at once. */
  scheduleRefresh?: (refresh: () => Promise<void>) => void
}

/** Opens an action's form beside the page. Templates in its `values` and `initialValues` are filled from `known`. */
export function openActionInSidePanel(
  { sidePanel, values = {}, initialValues }: Action,
  known: Values,
): void {
  const initial = Object.entries(bodyOf(initialValues, known) ?? {}).filter(([, value]) => isSet(value))
  openSidePanel(sidePanel!, fillTemplates(values, known), Object.fromEntries(initial))
}

/** The path parameters of an action's call, from the record, else from the address of the page. */
export function actionParams(
  { endpoints }: Contract,
  call: string,
  { action, record, params }: Pick<ActionContext, 'action' | 'record' | 'params'>,
): Values {
  const value = (part: string) => record?.[action.params?.[part] ?? part] ?? params[part]
  return Object.fromEntries(partsOf(callOf(endpoints[call]).path).map((part) => [part, value(part)]))
}

/**
 * The call of an action. `act` does nothing while the call is pending, and rejects with its error; with `showsFields` the
 * caller shows the messages by field itself. `holdToPass` is the hold that refuses the call, to be passed in a HoldDialog.
 */
export function useAction({ action, record, params, onDone, scheduleRefresh }: ActionContext) {
  const contract = useContract()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const isRunning = useRef(false)
  const [offer] = useOfferedActions(action.offer ? [action.offer] : [], record)
  const { waiting, send: sendOrWait } = useWaitingSave()
  const { holdToPass, withPasses } = usePassHolds()
  const isInDialog = Boolean(action.form || action.formCall || action.dialog || action.confirm)
  const sent = useRef<{ text: string; key: string }>(undefined)
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])

  /** Reuse the idempotency key for the same body after a lost reply; another body gets a new key. */
  const keyOf = (body: unknown) => {
    const text = JSON.stringify(body ?? null)
    if (sent.current?.text !== text) sent.current = { text, key: newIdempotencyKey() }
    return sent.current.key
  }

  const send = async (call: string, body?: Values, schedule = refreshNow, showsFields?: true) => {
    const { method } = callOf(contract.endpoints[call])
    const filled = actionParams(contract, call, { action, record, params })
    const key = method === 'POST' ? keyOf(body) : undefined
    const options = { params: filled, body, key, passesHolds: true as const, showsFields }
    // Only a dialog has room to say that its call waits; without one it fails at once.
    const reply = await withPasses(() =>
      isInDialog
        ? sendOrWait((signal) =>
            makeCall<unknown>(contract, call, { ...options, signal, showsLoss: true }, client),
          )
        : makeCall<unknown>(contract, call, options, client),
    )
    sent.current = undefined
    // The page that the action leaves must not read a record that may be gone.
    schedule(() => refresh(contract, client, call, { leaving: action.then ? filled : undefined }))
    return { reply, known: { ...params, ...record, ...valuesOf(reply) } }
  }

  const undo = async (call: string, reply: unknown) => {
    const { undo: body = bodyOf(action.undoValues, record) } = valuesOf(reply) as { undo?: Values }
    // The HTTP client has shown the error.
    const done = await send(call, body).catch(() => undefined)
    if (done) notify({ kind: 'success', text: 'Undone' })
  }

  const act = async (answers?: Values, showsFields?: true): Promise<void> => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    try {
      const { reply, known } = await send(
        action.call!,
        bodyOf(action.values, record, answers),
        scheduleRefresh,
        showsFields,
      )
      if (action.done) {
        notify({
          kind: 'success',
          text: fillTemplate(action.done, known),
          ...(action.undo && { action: { label: 'Undo', run: () => void undo(action.undo!, reply) } }),
          ...(offer && {
            offer: { label: offer.label, run: () => openActionInSidePanel(offer, { ...params, ...record }) },
          }),
        })
      }
      const to = action.then && linkTo(action.then, known)
      // Do not navigate if the user has left the page meanwhile.
      if (to && isMounted.current) navigate(to)
      onDone?.(reply, action.undo ? () => void undo(action.undo!, reply) : undefined)
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  return { act, busy, waiting, holdToPass }
}

const refreshNow = (refresh: () => Promise<void>): void => void refresh()

function valuesOf(reply: unknown): Values {
  return reply !== null && typeof reply === 'object' && !Array.isArray(reply) ? (reply as Values) : {}
}
