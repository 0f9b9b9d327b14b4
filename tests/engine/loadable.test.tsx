import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ErrorBoundary } from '../../src/engine/core/ErrorBoundary.tsx'
import { loadable } from '../../src/engine/core/loadable.tsx'
import { type Notice, subscribeToNotices } from '../../src/engine/core/notices.ts'

const Page = ({ name }: { name: string }) => <p>Page {name}</p>

it('shows its fallback until the code is loaded, once', async () => {
  const load = vi.fn(async () => ({ default: Page }))
  const Loaded = loadable(load, <p>Loading</p>)
  render(
    <>
      <Loaded name="one" />
      <Loaded name="two" />
    </>,
  )
  expect(screen.getAllByText('Loading')).toHaveLength(2)
  await screen.findByText('Page one')
  await screen.findByText('Page two')
  expect(load).toHaveBeenCalledTimes(1)
})

it('renders at once after a preload', async () => {
  const Loaded = loadable(async () => ({ default: Page }))
  await Loaded.preload()
  render(<Loaded name="one" />)
  expect(screen.getByText('Page one')).toBeTruthy()
})

it('passes a failed load to the error boundary, and loads again later', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const load = vi.fn().mockRejectedValueOnce(new Error('The server is gone'))
  load.mockResolvedValue({ default: Page })
  const Loaded = loadable<{ name: string }>(load)
  render(
    <ErrorBoundary what="Page">
      <Loaded name="one" />
    </ErrorBoundary>,
  )
  await screen.findByText('Page could not be shown')
  cleanup()
  render(<Loaded name="two" />)
  await screen.findByText('Page two')
})

it('that fails is replaced by the fallback of the error boundary, with a notice', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const notices: Notice[] = []
  const unsubscribe = subscribeToNotices((notice) => notices.push(notice))
  const Loaded = loadable<object>(() => Promise.reject(new Error('The server is gone')))
  render(
    <ErrorBoundary what="The bell" fallback={<p>No bell</p>}>
      <Loaded />
    </ErrorBoundary>,
  )
  await screen.findByText('No bell')
  await waitFor(() =>
    expect(notices).toMatchObject([{ kind: 'error', title: 'The bell could not be shown' }]),
  )
  unsubscribe()
})
