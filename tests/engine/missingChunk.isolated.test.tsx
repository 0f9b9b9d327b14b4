import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from './fakeServer.ts'
import { CASE_TYPES } from './product.ts'
import {
  box,
  configure,
  heading,
  next,
  openWizard,
  press,
  serveWizard,
  typeNewClient,
} from './wizardContext.tsx'

const NOT_FETCHED = new TypeError('Failed to fetch dynamically imported module')
vi.mock('../../src/engine/form/widgets/Markdown.tsx', () => {
  throw NOT_FETCHED
})
vi.mock('../../src/engine/form/widgets/SignaturePad.tsx', () => {
  throw NOT_FETCHED
})

beforeEach(serveWizard)

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
  expect(await screen.findByText('Ask **first**')).toBeTruthy()
  expect(await screen.findByText('Signed could not be shown')).toBeTruthy()
  await userEvent.type(box('case.answers.reason'), 'Kept')
  await press('Back')
  await heading('Client')
  expect(box('client.last_name').value).toBe('Bell')
  await next()
  await heading('Case details')
  expect(box('case.answers.reason').value).toBe('Kept')
})
