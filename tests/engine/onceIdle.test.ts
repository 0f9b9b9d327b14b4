import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { onceIdle } from '../../src/app/core/onceIdle.ts'

const queries = new QueryClient()
const act = vi.fn()
/** A query that is read at once. */
const read = () => queries.setQueryData([], {})
const idle = () => vi.advanceTimersByTimeAsync(10)

beforeEach(() => {
  vi.useFakeTimers()
  act.mockClear()
})
afterEach(() => vi.useRealTimers())

it('calls once when nothing is being read', async () => {
  const stop = onceIdle(queries, act)
  read()
  read()
  await idle()
  expect(act).toHaveBeenCalledTimes(1)
  stop()
})

it('does not call after it is stopped, also not what is due already', async () => {
  const stop = onceIdle(queries, act)
  read()
  stop()
  await idle()
  expect(act).not.toHaveBeenCalled()
})
