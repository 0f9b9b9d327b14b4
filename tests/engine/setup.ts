import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { fakeServer } from './fakeServer.ts'

// Two cores may be busy with other things.
configure({ asyncUtilTimeout: 5000 })

// jsdom does not scroll.
window.scrollTo = () => {}

// jsdom works out every property of an element and of what it inherits from, an eighth of the time of these tests. There
// are no style sheets here: what elements are by themselves and what they say in `style` is all.
const computedStyle = window.getComputedStyle.bind(window)
const displays = new Map<string, string>()
window.getComputedStyle = (element, pseudo) => {
  if (pseudo) return computedStyle(element, pseudo)
  const { style } = element as HTMLElement
  const own: Record<string, () => string> = {
    display: () => style.display || ((element as HTMLElement).hidden ? 'none' : displayOf(element.tagName)),
    visibility: () => inherited(element, 'visibility') || 'visible',
  }
  const getPropertyValue = (name: string) => own[name]?.() ?? style.getPropertyValue(name)
  return new Proxy(style, {
    get: (_, name) => {
      if (name === 'getPropertyValue') return getPropertyValue
      if (Object.hasOwn(own, name)) return own[name as string]()
      return Reflect.get(style, name)
    },
  })
}

function displayOf(tag: string): string {
  if (!displays.has(tag)) {
    const element = document.body.appendChild(document.createElement(tag))
    displays.set(tag, computedStyle(element).display)
    element.remove()
  }
  return displays.get(tag)!
}

function inherited(element: Element | null, name: 'visibility'): string {
  return element ? (element as HTMLElement).style[name] || inherited(element.parentElement, name) : ''
}

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
