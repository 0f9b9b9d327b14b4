import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { fakeServer } from './fakeServer.ts'
import {
  ALIKE,
  box,
  chooseAnn,
  chooseCaseType,
  drafts,
  heading,
  openWizard,
  pick,
  press,
  serveWizard,
} from './wizardContext.tsx'

beforeEach(serveWizard)

const open = async (at = '/quick-case') => {
  const opened = await openWizard(at)
  await heading('New Case, short form')
  return opened
}
const newClient = () => userEvent.click(screen.getByLabelText('New client'))
const problems = () =>
  within(screen.getByRole('alert'))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

async function fillCase() {
  await chooseCaseType('IMCA - Serious medical treatment')
  await pick('case.contract', 'IMCA - contract A1')
  await pick('issue.issue_type', 'Serious medical treatment')
}

describe('a wizard on one page', () => {
  test('asks for everything at once and saves it by one call', async () => {
    const { address, notices } = await open()
    await newClient()
    await userEvent.type(box('client.first_name'), 'Ida')
    await userEvent.type(box('client.last_name'), 'Rhodes')
    await fillCase()
    await press('Save')
    await screen.findByText('Another page')
    expect(address()).toBe('/cases/70/details')
    expect(notices.at(-1)).toEqual({
      kind: 'success',
      text: 'Saved: case 70. Its issue waits to be allocated.',
    })
    const [{ body }, ...more] = fakeServer.requestsTo('POST /case/')
    expect(more).toEqual([])
    expect(body).toMatchObject({
      incomplete: true,
      service: 1,
      case_type: 1,
      client: { first_name: 'Ida', last_name: 'Rhodes' },
      case: { contract: 1 },
      issue: { issue_type: expect.any(Number) },
    })
  })

  test('is not saved before the reply that asks why a client is new', async () => {
    await open()
    let reply = () => {}
    const waiting = new Promise<void>((resolve) => {
      reply = resolve
    })
    fakeServer.use({
      'POST /api/clients/alike': async () => {
        await waiting
        return { data: [{ ...ALIKE, certainty: 'certain' }] }
      },
    })
    await newClient()
    await fillCase()
    await userEvent.type(box('client.first_name'), 'Ann')
    await userEvent.type(box('client.last_name'), 'Ames')
    await press('Save')
    reply()
    const why = await screen.findByRole('textbox', { name: 'Why is this another client?' })
    await waitFor(() => expect(document.activeElement).toBe(why))
    expect(fakeServer.requestsTo('POST /case/')).toEqual([])
    await userEvent.type(why, 'Her cousin')
    await press('Save')
    await screen.findByText('Another page')
    expect(fakeServer.requestsTo('POST /case/')[0].body).toMatchObject({ new_because: 'Her cousin' })
  })

  test('says in one summary what is missing, in the order of the page', async () => {
    await open()
    await press('Save')
    expect(problems()).toEqual(['Enter a new client or choose an existing one', 'Choose case type'])
    expect(screen.getByRole('alert')).toBe(document.activeElement)
    await userEvent.click(within(screen.getByRole('alert')).getAllByRole('link')[0])
    expect(document.activeElement).toBe(screen.getByLabelText('New client'))
    await newClient()
    await chooseCaseType('IMCA - Serious medical treatment')
    await press('Save')
    expect(problems()).toEqual([
      'Enter first name',
      'Enter last name',
      'Choose contract',
      'Choose issue type',
    ])
    expect(fakeServer.requestsTo('POST /case/')).toEqual([])
  })

  test('takes a client that is there, and what was entered about a new one comes back', async () => {
    await open()
    await newClient()
    await userEvent.type(box('client.last_name'), 'Bell')
    await chooseAnn()
    expect(box('client.last_name')).toBeNull()
    await newClient()
    expect(box('client.last_name').value).toBe('Bell')
    await chooseAnn()
    await fillCase()
    await press('Save')
    await screen.findByText('Another page')
    expect(fakeServer.requestsTo('POST /case/')[0].body).toMatchObject({ client: 9 })
  })

  test('clears what does not fit another service, and only that', async () => {
    await open()
    await newClient()
    await userEvent.type(box('client.last_name'), 'Bell')
    await fillCase()
    await chooseCaseType('Care Act advocacy')
    await waitFor(() => expect(box('case.contract').value).toBe(''))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(box('client.last_name').value).toBe('Bell')
  })

  test('shows what the server refuses at its field', async () => {
    await open()
    await chooseAnn()
    await fillCase()
    const refused = { 'case.contract': ['Contract has ended'], client: ['This client is retired'] }
    fakeServer.use({ 'POST /case/': { status: 400, data: refused } })
    await press('Save')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await userEvent.click(await screen.findByRole('link', { name: 'Contract has ended' }))
    await waitFor(() => expect(document.activeElement).toBe(box('case.contract')))
    const way = screen.getByRole('group', { name: /New or existing client/ })
    expect(within(way).getByText('This client is retired')).toBeTruthy()
  })

  test('is kept as a draft, opened again also from one of several steps, and given up by Leave', async () => {
    const document = { client: { last_name: 'Bell' }, service: 1, case_type: 1, case: { contract: 1 } }
    const payload = { document, step: 'issue-details', completed: ['service'] }
    drafts.set(1, { id: 1, version: 1, kind: 'case', payload })
    const { address } = await open('/quick-case/issue-details?draft=1')
    await waitFor(() => expect(address()).toBe('/quick-case?draft=1'))
    expect(box('client.last_name').value).toBe('Bell')
    await waitFor(() => expect(box('case.contract').value).toBe('1'))
    await userEvent.type(box('client.first_name'), 'Ada')
    await press('Save draft')
    await screen.findByText('Another page')
    expect(drafts.get(1)).toMatchObject({
      title: 'Ada Bell · Independent Mental Capacity Advocacy (IMCA)',
      payload: { document: { client: { first_name: 'Ada', last_name: 'Bell' } } },
    })
  })

  test('asks before it is left', async () => {
    await open()
    await newClient()
    await userEvent.click(screen.getByText('Elsewhere'))
    expect(await screen.findByText('Leave creating page?')).toBeTruthy()
    await userEvent.click(await screen.findByRole('button', { name: 'Leave' }))
    await screen.findByText('Another page')
    expect(drafts.size).toBe(0)
  })
})
