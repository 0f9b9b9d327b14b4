import { act, screen as view, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { LoadingOverlay } from '../../src/engine/core/LoadingOverlay.tsx'
import { openElement } from './open.tsx'

function Commit({ seconds }: { seconds: number }) {
  const [show, setShow] = useState(false)
  const [presses, setPresses] = useState(0)
  const begin = () => {
    setShow(true)
    setTimeout(() => setShow(false), seconds * 1000)
  }
  return (
    <main>
      <button type="button" onClick={begin}>
        Begin
      </button>
      <button type="button" onClick={() => setPresses(presses + 1)}>
        Pressed {presses}
      </button>
      <LoadingOverlay text="Importing boats.xlsx…" show={show} />
    </main>
  )
}
const begin = () => userEvent.click(view.getByRole('button', { name: 'Begin' }))
const overlay = () => view.queryByRole('dialog', { name: 'Importing boats.xlsx…' })

test('covers the page with its text while it shows, announced and busy, and gives the focus back', async () => {
  openElement(<Commit seconds={1} />)
  await begin()
  expect(overlay()).toBeNull()
  await waitFor(() => expect(overlay()).toBe(document.activeElement))
  expect(overlay()!.getAttribute('aria-busy')).toBe('true')
  expect(document.querySelector('main')!.getAttribute('aria-busy')).toBe('true')
  expect(view.getByRole('status').textContent).toBe('Importing boats.xlsx…')
  await userEvent.keyboard('{Tab}{Enter}')
  expect(document.activeElement).toBe(overlay())
  expect(view.getByText('Pressed 0')).toBeTruthy()
  await waitFor(() => expect(overlay()).toBeNull())
  expect(document.querySelector('main')!.hasAttribute('aria-busy')).toBe(false)
  expect(document.activeElement).toBe(view.getByRole('button', { name: 'Begin' }))
  await userEvent.keyboard('{Tab}{Enter}')
  expect(view.getByText('Pressed 1')).toBeTruthy()
})

test('is not rendered for an operation that ends at once', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  openElement(<Commit seconds={0.05} />)
  await begin()
  // In two steps, because state is rendered at the end of each.
  await act(() => vi.advanceTimersByTimeAsync(100))
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(overlay()).toBeNull()
})
