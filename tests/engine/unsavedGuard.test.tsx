import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { describe, expect, test, vi } from 'vitest'
import { UnsavedGuard } from '../../src/engine/form/drafts/UnsavedGuard.tsx'
import { openElement } from './open.tsx'

type Props = Partial<Parameters<typeof UnsavedGuard>[0]>

/** A page at /task/1 with changes, which 'Finish' saves. */
function openGuarded(props: Props = {}) {
  function Task() {
    const [isDirty, setDirty] = useState(true)
    return (
      <>
        <button type="button" onClick={() => setDirty(false)}>
          Finish
        </button>
        <UnsavedGuard when={isDirty} {...props} />
      </>
    )
  }
  return openElement(<Task />, {
    path: '/task/*',
    at: '/task/1',
    beside: (
      <>
        <Link to="/elsewhere">Elsewhere</Link>
        <Link to="/task/2">Next step</Link>
        <Link to="?draft=5">Draft</Link>
      </>
    ),
  })
}
const follow = (name: string) => userEvent.click(screen.getByRole('link', { name, hidden: true }))
const press = (name: string) => userEvent.click(screen.getByRole('button', { name, hidden: true }))
const question = () => screen.queryByRole('alertdialog')
const isGone = async () => expect(await screen.findByText('Another page')).toBeTruthy()
const isClosed = () => waitFor(() => expect(question()).toBeNull())
const closePage = () => {
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented
}
/** A promise, and the functions that end it. */
function pending() {
  let [resolve, reject] = [() => {}, () => {}]
  const promise = new Promise<void>((...ends) => {
    ;[resolve, reject] = ends as [() => void, () => void]
  })
  return { promise, resolve, reject }
}

describe('a link away from unsaved changes', () => {
  test('asks first, and goes nowhere on Cancel or Escape', async () => {
    const onLeave = vi.fn(async () => {})
    const { address, router } = openGuarded({ onLeave })
    for (const cancel of [() => press('Cancel'), () => userEvent.keyboard('{Escape}')]) {
      await follow('Elsewhere')
      expect(await screen.findByRole('alertdialog')).toBeTruthy()
      await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'))
      await cancel()
      await isClosed()
      expect(address()).toBe('/task/1')
      expect([...router.state.blockers.values()].map(({ state }) => state)).toEqual(['unblocked'])
    }
    expect(onLeave).not.toHaveBeenCalled()
  })

  test('goes nowhere after Cancel either, once the changes are saved', async () => {
    const { address, router } = openGuarded()
    await follow('Elsewhere')
    await press('Cancel')
    await isClosed()
    await press('Finish')
    expect(address()).toBe('/task/1')
    const states = new Set<string>()
    router.subscribe(({ blockers }) => {
      for (const { state } of blockers.values()) states.add(state)
    })
    await follow('Elsewhere')
    await isGone()
    expect([...states]).not.toContain('blocked')
  })

  test('goes on once the save has ended well that was running', async () => {
    openGuarded()
    await follow('Elsewhere')
    await press('Finish')
    await isGone()
  })

  test('cleans up before it leaves, and once, however often Leave is pressed', async () => {
    const { promise, resolve } = pending()
    const onLeave = vi.fn(() => promise)
    const { address } = openGuarded({ onLeave })
    await follow('Elsewhere')
    await press('Leave')
    await press('Leave')
    // What is cleaned up is unsaved no longer, but it is not done yet.
    await press('Finish')
    expect(address()).toBe('/task/1')
    await act(async () => resolve())
    await isGone()
    expect(onLeave).toHaveBeenCalledTimes(1)
  })

  test('leaves also where the clean-up fails', async () => {
    openGuarded({ onLeave: () => Promise.reject(new Error('No')) })
    await follow('Elsewhere')
    await press('Leave')
    await isGone()
  })

  test('does not ask within the page’s own address, or for paths of the same task', async () => {
    const { address } = openGuarded({ stays: (path) => path === '/task/2' })
    await follow('Draft')
    expect(address()).toBe('/task/1?draft=5')
    await follow('Next step')
    expect(address()).toBe('/task/2')
    expect(question()).toBeNull()
    await follow('Elsewhere')
    expect(await screen.findByRole('alertdialog')).toBeTruthy()
    expect(address()).toBe('/task/2')
  })

  test('asks again on the next page that has the same guard', async () => {
    const { address } = openGuarded()
    await follow('Next step')
    await press('Leave')
    await waitFor(() => expect(address()).toBe('/task/2'))
    await isClosed()
    await follow('Elsewhere')
    expect(await screen.findByRole('alertdialog')).toBeTruthy()
    expect(address()).toBe('/task/2')
  })

  test('stays open where the page’s own address changes, and then leads where it was to lead', async () => {
    const { address, router } = openGuarded()
    await follow('Elsewhere')
    await act(() => router.navigate('/task/1?draft=5', { replace: true }))
    expect(address()).toBe('/task/1?draft=5')
    expect(question()).toBeTruthy()
    await press('Leave')
    await isGone()
    expect(address()).toBe('/elsewhere')
  })

  test('looks at what is unsaved only when it is followed', async () => {
    let isDirty = false
    const { address } = openGuarded({ when: () => isDirty })
    isDirty = true
    await follow('Elsewhere')
    expect(await screen.findByRole('alertdialog')).toBeTruthy()
    expect(address()).toBe('/task/1')
  })
})

describe('the question’s button that saves a draft', () => {
  test('leaves once the draft is saved', async () => {
    const { promise, resolve } = pending()
    let isDirty = true
    const onLeave = vi.fn(async () => {})
    const onKeep = async () => {
      await promise
      isDirty = false
      await press('Finish')
    }
    const { address } = openGuarded({ when: () => isDirty, onKeep, onLeave })
    await follow('Elsewhere')
    await press('Save draft and leave')
    expect(address()).toBe('/task/1')
    await act(async () => resolve())
    await isGone()
    expect(onLeave).not.toHaveBeenCalled()
  })

  test('keeps the question open where the draft cannot be saved', async () => {
    const { address } = openGuarded({ onKeep: () => Promise.reject(new Error('No')) })
    await follow('Elsewhere')
    await press('Save draft and leave')
    expect(question()).toBeTruthy()
    expect(address()).toBe('/task/1')
  })

  test('is only there where a draft can be saved', async () => {
    openGuarded()
    await follow('Elsewhere')
    expect(await screen.findByRole('alertdialog')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Save draft and leave' })).toBeNull()
  })
})

describe('closing the page', () => {
  test.each<[string, Props, boolean]>([
    ['warns of unsaved changes', {}, true],
    ['is free without any', { when: false }, false],
    ['looks at what is unsaved by then', { when: () => true }, true],
    ['is free where the changes are in a draft', { closing: () => false }, false],
    ['warns of what is nowhere else, whatever leaving asks', { when: false, closing: () => true }, true],
  ])('%s', (_, props, isStopped) => {
    openGuarded(props)
    expect(closePage()).toBe(isStopped)
  })

  test('is free once the changes are saved, and once the page is left', async () => {
    const { unmount } = openGuarded()
    await press('Finish')
    expect(closePage()).toBe(false)
    unmount()
    const again = openGuarded()
    expect(closePage()).toBe(true)
    again.unmount()
    expect(closePage()).toBe(false)
  })
})
