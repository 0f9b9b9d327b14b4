import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { addInterceptors } from '../../src/app/core/interceptors.ts'
import Toasts from '../../src/app/Toasts.tsx'
import { ErrorCard } from '../../src/engine/core/ErrorCard.tsx'
import { http } from '../../src/engine/core/http.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer } from './fakeServer.ts'

/** The error of a call that the server answers with a status, under an id. */
async function failed(status: number): Promise<unknown> {
  fakeServer.use({
    'GET /cases/': { status, data: { message: 'It broke.' }, headers: { 'x-request-id': 'edge-7' } },
  })
  return http.get('/cases/').catch((error: unknown) => error)
}

test('an error card says by which id the log names a call that failed on the server', async () => {
  render(<ErrorCard error={await failed(503)} />)
  expect(screen.getByRole('alert').textContent).toContain('It broke.Reference edge-7')
})

test('a refusal needs no id: it says itself what to do', async () => {
  render(<ErrorCard error={await failed(409)} />)
  expect(screen.getByRole('alert').textContent).toBe('This could not be shownIt broke.')
})

test('a toast says it too', async () => {
  const eject = addInterceptors(contract)
  render(<Toasts />)
  await failed(503)
  expect((await screen.findByText('edge-7')).closest('.request-id')?.textContent).toBe('Reference edge-7')
  eject()
})
