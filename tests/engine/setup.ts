import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { fakeServer } from './fakeServer.ts'

// Two cores may be busy with other things.
configure({ asyncUtilTimeout: 5000 })

// jsdom does not scroll.
window.scrollTo = () => {}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  fakeServer.reset()
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  const { unhandled } = fakeServer
  fakeServer.reset()
  expect(unhandled, 'requests without a handler of the fake server').toEqual([])
})
