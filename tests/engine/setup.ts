import { onlineManager } from '@tanstack/react-query'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { reportReply } from '../../src/engine/core/connection.ts'
import { fakeServer } from './fakeServer.ts'

// Only what never comes ends by this: on a machine on which much else is done, a page takes longer than one second.
configure({ asyncUtilTimeout: 30_000 })

// A lost connection is looked for outside of the HTTP client, and so are new versions, every five seconds: without a
// reply to that, a test that takes longer would lose its connection.
const browserFetch = window.fetch
window.fetch = async (input, init) => {
  if (input === '/api/news') return Response.json([])
  if (input !== '/healthz') return browserFetch(input, init)
  if (!fakeServer.repliesToProbes) throw new TypeError('Failed to fetch')
  return new Response('{}')
}

// jsdom does not scroll.
window.scrollTo = () => {}

// jsdom computes every property of an element and of its ancestors, an eighth of the time of these tests. There are no
// style sheets here, so the default display of a tag and the `style` attribute are enough.
const computedStyle = window.getComputedStyle.bind(window)
const displays = new Map<string, string>()
window.getComputedStyle = (element, pseudo) => {
  if (pseudo) return computedStyle(element, pseudo)
  const { style } = element as HTMLElement
  const get = (name: string | symbol) => {
    if (name === 'display') return displayOf(element as HTMLElement)
    return name === 'visibility' ? visibilityOf(element) : Reflect.get(style, name)
  }
  return new Proxy(style, { get: (_, name) => (name === 'getPropertyValue' ? get : get(name)) })
}

function displayOf({ hidden, style, tagName }: HTMLElement): string {
  if (style.display || hidden) return style.display || 'none'
  if (!displays.has(tagName)) {
    const bare = document.body.appendChild(document.createElement(tagName))
    displays.set(tagName, computedStyle(bare).display)
    bare.remove()
  }
  return displays.get(tagName)!
}

function visibilityOf(element: Element | null): string {
  return element
    ? (element as HTMLElement).style.visibility || visibilityOf(element.parentElement)
    : 'visible'
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  fakeServer.reset()
  // The files of a worker share the module: a test may have lost the connection.
  reportReply()
  onlineManager.setOnline(true)
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  const { unhandled } = fakeServer
  fakeServer.reset()
  expect(unhandled, 'requests without a handler of the fake server').toEqual([])
})
