import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer, page } from './fakeServer.ts'
import { ADVOCATE, openApp, startSignedOut } from './openApp.tsx'

const CASE = 'GET /case/7/'
const CLIENT = 'GET /client/9/index/'
const TYPE = 'GET /case_type/1/'

const record = { id: 7, version: 3, client: 9, client_name: 'Ann Ames', service: 1, case_type: 1, status: 1 }
const handlers = {
  'GET /cases/': page([{ id: 7, client: 9, client_name: 'Ann Ames' }]),
  [CASE]: { data: { ...record, answers: {}, invalid_fields: [] } },
  [CLIENT]: { data: { id: 9, version: 1, first_name: 'Ann', last_name: 'Ames', area: 1 } },
  [TYPE]: { data: { id: 1, label: 'IMCA', version: 1, case_meta: [], issue_meta: [] } },
  'GET /api/clients/{id}/alerts': page([]),
  'GET /api/cases/{id}/deadlines': page([]),
  'GET /api/cases/{id}/chronology': page([]),
  'GET /api/cases/{id}/tasks': page([]),
}

beforeEach(startSignedOut)
afterEach(() => {
  vi.useRealTimers()
})

const timesAsked = (call: string) => fakeServer.requestsTo(call).length

test('what a page of a record reads is asked for before it is rendered, and once', async () => {
  const { router } = await openApp('/dashboard/cases', ADVOCATE, handlers)
  await screen.findByText('Ann Ames')
  await act(async () => {
    void router.navigate('/cases/7/details')
    await Promise.resolve()
    expect(document.querySelector('.detail')).toBeNull()
  })
  // Whose client it is, the list has said.
  expect([CASE, CLIENT].map(timesAsked)).toEqual([1, 1])
  await screen.findAllByRole('navigation', { name: 'On this page' })
  expect([CASE, CLIENT, TYPE].map(timesAsked)).toEqual([1, 1, 1])
})

test('nothing is asked for a page that the person may not see', async () => {
  const { router, address } = await openApp('/dashboard/my-cases', ADVOCATE)
  await act(() => router.navigate('/advocate/3/details'))
  expect(address()).toBe('/dashboard/my-cases')
  expect(timesAsked('GET /api/staff/3')).toBe(0)
})

test('what the page before shows is not read again for another tab of it', async () => {
  const { router } = await openApp('/cases/7/details', ADVOCATE, {
    ...handlers,
    'GET /case/7/issues/': page([]),
  })
  await screen.findAllByRole('navigation', { name: 'On this page' })
  // By then it counts as stale.
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] })
  await act(() => router.navigate('/cases/7/issues'))
  expect(timesAsked(CASE)).toBe(1)
})
