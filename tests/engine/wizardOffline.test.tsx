import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from './fakeServer.ts'
import {
  box,
  chooseCaseType,
  configure,
  createDraft,
  draftHandlers,
  drafts,
  heading,
  next,
  openWizard,
  press,
  serveWizard,
  typeNewClient,
} from './wizardContext.tsx'

beforeEach(serveWizard)

const UNREACHABLE = { status: 0 }

test('a step that could not read its questions says so, and goes on after Retry with all that was typed', async () => {
  const served = {
    'GET /case_type/{id}/': { data: { id: 1, label: 'x', version: 1, case_meta: [], issue_meta: [] } },
  }
  await openWizard()
  await configure()
  await typeNewClient()
  fakeServer.use({ 'GET /case_type/{id}/': UNREACHABLE })
  await press('Back')
  await heading('Person and case type')
  await chooseCaseType('Care Act advocacy')
  await next()
  await heading('Client')
  expect(await screen.findByText(/^(This cannot be opened now|The server did not answer)$/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Next' })).toBeNull()
  fakeServer.use(served)
  await press('Retry')
  await waitFor(() => expect(box('client.last_name').value).toBe('Bell'))
})

test('a draft that could not be saved says so, and is saved once the connection is back', async () => {
  fakeServer.use({ 'POST /api/drafts': UNREACHABLE })
  await openWizard()
  await chooseCaseType('Care Act advocacy')
  await screen.findByText('Not saved yet')
  expect(drafts.size).toBe(0)
  fakeServer.use(draftHandlers)
  act(() => fakeServer.comeBack())
  await screen.findByText(/^Saved \d\d:\d\d$/)
  expect(screen.queryByText('Not saved yet')).toBeNull()
  expect(drafts.size).toBe(1)
  fakeServer.use({ 'PUT /api/drafts/{id}': UNREACHABLE })
  await chooseCaseType('IMCA - Serious medical treatment')
  await screen.findByText('Not saved yet')
  expect(screen.queryByText(/^Saved/)).toBeNull()
})

test('a failed save is tried again after a delay that doubles; a refused one is not', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let reply: object = { status: 503 }
  fakeServer.use({ 'POST /api/drafts': (request) => (reply ? reply : createDraft(request)) })
  const attempts = () => fakeServer.requestsTo('POST /api/drafts').length
  await openWizard()
  await chooseCaseType('Care Act advocacy')
  await waitFor(() => expect(attempts()).toBe(1))
  await screen.findByText('Not saved yet')
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(attempts()).toBe(2)
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(attempts()).toBe(2)
  reply = { status: 400, data: { message: 'Wrong' } }
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(attempts()).toBe(3)
  await act(() => vi.advanceTimersByTimeAsync(100_000))
  expect(attempts()).toBe(3)
  expect(screen.getByText('Not saved yet')).toBeTruthy()
})
