import { act } from '@testing-library/react'
import { AxiosError, isCancel } from 'axios'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { reportNoReply } from '../../src/engine/core/connection.ts'
import { type Notice, subscribeToNotices } from '../../src/engine/core/notices.ts'
import { hasWaitingSaves, sendOrWait, setSender } from '../../src/engine/core/waitingSaves.ts'
import { fakeServer } from './fakeServer.ts'

const [ANN, BOB] = [1, 2]
const HOUR_MS = 60 * 60 * 1000
const UNANSWERED = new AxiosError('Network Error', AxiosError.ERR_NETWORK)

let notices: Notice[]
let unsubscribe = () => {}
beforeEach(() => {
  vi.useFakeTimers()
  notices = []
  unsubscribe = subscribeToNotices((notice) => void notices.push(notice))
  setSender(ANN)
})
afterEach(() => {
  unsubscribe()
  setSender(undefined)
})

/** Begins a save; `attempt` is made with the reply that the server gives by then. */
function save(reply: () => unknown = () => 'saved') {
  const controller = new AbortController()
  const states: unknown[] = []
  const attempt = vi.fn(async (_: AbortSignal) => {
    const given = reply()
    if (given instanceof Error) throw given
    return given
  })
  const outcome = sendOrWait(attempt, {
    signal: controller.signal,
    onWaiting: (state) => void states.push(state),
  }).catch((error: unknown) => error)
  return { attempt, outcome, cancel: () => controller.abort(), states }
}
const comeBack = async () => {
  fakeServer.comeBack()
  await vi.advanceTimersByTimeAsync(10)
}
const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

describe('a save that waits for the connection', () => {
  it('is sent once when the connection is back within a day', async () => {
    reportNoReply()
    const { attempt, outcome, states } = save()
    await later(23 * HOUR_MS)
    expect([attempt.mock.calls.length, hasWaitingSaves(), states]).toEqual([
      0,
      true,
      [{ mayHaveArrived: false }],
    ])
    await comeBack()
    expect([await outcome, attempt.mock.calls.length, hasWaitingSaves()]).toEqual(['saved', 1, false])
    expect(notices).toMatchObject([
      { kind: 'success', text: 'The connection is back: what was waiting is sent' },
    ])
  })

  it('is not sent after a day, when the server has forgotten its key, and says so', async () => {
    reportNoReply()
    const { attempt, outcome } = save()
    await later(24 * HOUR_MS + 1000)
    await comeBack()
    expect([isCancel(await outcome), attempt.mock.calls.length, hasWaitingSaves()]).toEqual([true, 0, false])
    expect(notices).toMatchObject([{ kind: 'error', title: 'Not saved' }])
    expect(notices[0].text).toContain('more than a day')
  })

  it('waits on for the same person whose session ended, and is sent once they sign in again', async () => {
    reportNoReply()
    const { attempt, outcome } = save()
    setSender(undefined)
    await comeBack()
    expect([attempt.mock.calls.length, hasWaitingSaves()]).toEqual([0, true])
    setSender(ANN)
    expect([await outcome, attempt.mock.calls.length]).toEqual(['saved', 1])
  })

  it('is never sent after somebody else signed in, nor when the first person comes back', async () => {
    reportNoReply()
    const { attempt, outcome } = save()
    setSender(undefined)
    await comeBack()
    setSender(BOB)
    expect([isCancel(await outcome), hasWaitingSaves()]).toEqual([true, false])
    setSender(ANN)
    await later(HOUR_MS)
    expect(attempt).not.toHaveBeenCalled()
  })

  it('that is cancelled was not sent, and says so', async () => {
    reportNoReply()
    const { attempt, outcome, cancel } = save()
    await later(1000)
    cancel()
    expect([isCancel(await outcome), attempt.mock.calls.length]).toEqual([true, 0])
    expect(notices).toMatchObject([{ kind: 'success', text: 'Cancelled: nothing was sent' }])
    await comeBack()
    expect(attempt).not.toHaveBeenCalled()
  })
})

describe('a save that was sent and got no reply', () => {
  it('says when it is cancelled that it may have arrived', async () => {
    const { attempt, outcome, cancel, states } = save(() => {
      reportNoReply()
      return UNANSWERED
    })
    await later(100)
    expect([attempt.mock.calls.length, states.at(-1)]).toEqual([1, { mayHaveArrived: true }])
    cancel()
    expect(isCancel(await outcome)).toBe(true)
    expect(notices).toMatchObject([{ kind: 'warning', title: 'Cancelled' }])
    expect(notices[0].text).toContain('may have arrived')
    await comeBack()
    expect(attempt).toHaveBeenCalledTimes(1)
  })

  it('is sent again with the connection, and given up where the server replies to nothing else', async () => {
    const { attempt, outcome } = save(() => UNANSWERED)
    expect(await outcome).toBe(UNANSWERED)
    expect(attempt).toHaveBeenCalledTimes(4)
    expect(notices).toMatchObject([{ kind: 'error', title: 'Not saved' }])
  })
})
