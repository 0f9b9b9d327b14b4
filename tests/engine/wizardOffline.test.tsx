import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from './fakeServer.ts'
import { CASE_TYPES } from './product.ts'
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
} from './wizardContext.tsx'

const NOT_FETCHED = new TypeError('Failed to fetch dynamically imported module')
vi.mock('../../src/engine/widgets/Markdown.tsx', () => {
  throw NOT_FETCHED
})
vi.mock('../../src/engine/widgets/SignaturePad.tsx', () => {
  throw NOT_FETCHED
})

beforeEach(serveWizard)

const UNREACHABLE = { status: 0 }
/** A module is loaded in the test's own process, which may be busy. */
const IN_TIME = { timeout: 10_000 }

async function typeNewClient() {
  await next()
  await heading('Client')
  await userEvent.click(screen.getByLabelText('New client'))
  await userEvent.type(box('client.first_name'), 'Beth')
  await userEvent.type(box('client.last_name'), 'Bell')
}

test('what a step cannot fetch takes neither the step nor what was typed with it', async () => {
  const [{ value, label, service }] = CASE_TYPES
  const fields = [
    { name: 'advice', label: 'Advice', type: 'note', attrs: { text: 'Ask **first**' } },
    { name: 'signed', label: 'Signed', type: 'signature' },
    { name: 'reason', label: 'Reason', type: 'text' },
  ]
  const case_meta = [{ name: 'g', label: 'About the case', fields }]
  const type = { id: value, label, service, version: 1, case_meta, issue_meta: [] }
  fakeServer.use({ 'GET /case_type/{id}/': { data: type } })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await openWizard()
  await configure()
  await typeNewClient()
  await next()
  await heading('Case details')
  expect(await screen.findByText('Ask **first**', {}, IN_TIME)).toBeTruthy()
  expect(await screen.findByText('Signed could not be shown', {}, IN_TIME)).toBeTruthy()
  await userEvent.type(box('case.answers.reason'), 'Kept')
  await press('Back')
  await heading('Client')
  expect(box('client.last_name').value).toBe('Bell')
  await next()
  await heading('Case details')
  expect(box('case.answers.reason').value).toBe('Kept')
})

test('a step that could not read its questions says so, and goes on after Retry with all that was typed', async () => {
  const served = {
    'GET /case_type/{id}/': { data: { id: 1, label: 'x', version: 1, case_meta: [], issue_meta: [] } },
  }
  await openWizard()
  await configure()
  await typeNewClient()
  fakeServer.use({ 'GET /case_type/{id}/': UNREACHABLE })
  await press('Back')
  await heading('Service')
  await chooseCaseType('Care Act advocacy')
  await next()
  await heading('Client')
  expect(await screen.findByText('The server did not answer')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Next' })).toBeNull()
  fakeServer.use(served)
  await press('Retry')
  await waitFor(() => expect(box('client.last_name').value).toBe('Bell'))
})

test('a draft that could not be saved says so, and is saved once the browser is online', async () => {
  fakeServer.use({ 'POST /api/drafts': UNREACHABLE })
  await openWizard()
  await chooseCaseType('Care Act advocacy')
  await screen.findByText('Not saved yet')
  expect(drafts.size).toBe(0)
  fakeServer.use(draftHandlers)
  act(() => void window.dispatchEvent(new Event('online')))
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
