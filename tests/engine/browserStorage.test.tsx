import { afterEach, expect, test, vi } from 'vitest'
import { browserStorage, tabStorage } from '../../src/engine/core/browserStorage.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['localStorage', browserStorage],
  ['sessionStorage', tabStorage],
] as const)('what a browser forbids to store in %s is kept in memory', (name, storage) => {
  storage.set('rows', 'on')
  expect(window[name].getItem('rows')).toBe('on')
  const refuse = () => {
    throw new DOMException('Access is denied', 'SecurityError')
  }
  vi.stubGlobal(name, { getItem: refuse, setItem: refuse, removeItem: refuse })
  expect(storage.get('rows')).toBeNull()
  storage.set('rows', 'off')
  expect(storage.get('rows')).toBe('off')
  storage.set('rows', null)
  expect(storage.get('rows')).toBeNull()
})

test('what does not fit any more is kept in memory, and what does replaces it', () => {
  const setItem = vi.fn(() => {
    throw new DOMException('Full', 'QuotaExceededError')
  })
  vi.stubGlobal('localStorage', { getItem: () => 'old', setItem, removeItem: () => undefined })
  browserStorage.set('page', 'new')
  expect(browserStorage.get('page')).toBe('new')
  setItem.mockImplementation(() => undefined as never)
  browserStorage.set('page', 'newest')
  expect(browserStorage.get('page')).toBe('old')
})
