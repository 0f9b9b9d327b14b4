import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import type { DetailScreen } from '../../src/contract/generated.ts'
import { Actions } from '../../src/engine/actions/Actions.tsx'
import { matches } from '../../src/engine/form/widgets/matches.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer, page, type Reply } from './fakeServer.ts'
import { open, openElement, person } from './open.tsx'
import { lookupHandlers } from './product.ts'

const PEOPLE = [
  { id: 1, name: 'Ann Ames', team: 'Eastern Help Hub', workload: '3 open issues', leave: null },
  { id: 2, name: 'Siân Ó Briain', team: 'team of Bo Lee', workload: '1 open issue', leave: 'on leave' },
  { id: 3, name: 'Cy Dunn', team: null, workload: '0 open issues', leave: null },
]
const issue = (id: number, client_name: string) => ({ id, case: 7, client_name, issue_type_label: 'Housing' })
const MANAGER = { contract, person: person([2]) }
const ASSIGN = 'POST /issue/8/assign_advocate/'

beforeEach(() =>
  fakeServer.use({
    ...lookupHandlers,
    'GET /api/staff/caseworkers': page(PEOPLE),
    'GET /api/issues/open': page([]),
    'POST /api/drafts': { data: { id: 12, version: 1 } },
    'PUT /api/drafts/12': { data: { id: 12, version: 2 } },
    [ASSIGN]: ({ body }) => ({ data: { id: 8, ...body } }),
  }),
)

async function openDialog() {
  const { actions } = contract.screens.issue as DetailScreen
  const record = { id: 8, is_opened: true, status: 1 }
  const element = <Actions actions={actions} record={record} params={{ id: '8' }} />
  openElement(element, MANAGER)
  await userEvent.click(screen.getByRole('button', { name: 'More actions' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Assign' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^Assign/ }))
  const box = (await dialog.findByRole('combobox', { name: 'Advocate' })) as HTMLInputElement
  await waitFor(() => expect(box.getAttribute('aria-busy')).toBeNull())
  return { dialog, box }
}
const options = () => screen.queryAllByRole('option').map((o) => o.textContent)
const active = (box: HTMLElement) =>
  document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent
const assigned = () => fakeServer.requestsTo(ASSIGN)[0]?.body
const send = ({ dialog }: Awaited<ReturnType<typeof openDialog>>) =>
  userEvent.click(dialog.getByRole('button', { name: 'Assign' }))

describe('a combobox of records', () => {
  test('shows details of each option, and is chosen by the keyboard', async () => {
    const { dialog, box } = await openDialog()
    expect([box.placeholder, box.getAttribute('aria-expanded')]).toEqual(['Choose…', 'false'])
    await userEvent.click(box)
    expect(box.getAttribute('aria-expanded')).toBe('true')
    expect(dialog.getByRole('listbox', { name: 'Caseworker' }).id).toBe(box.getAttribute('aria-controls'))
    expect(options()).toEqual([
      'Ann Ames 3 open issues, Eastern Help Hub',
      'Cy Dunn 0 open issues',
      'Siân Ó Briain 1 open issue, on leave, team of Bo Lee',
    ])
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    expect(active(box)).toMatch(/^Cy Dunn/)
    await userEvent.keyboard('{ArrowUp}{ArrowUp}')
    expect(active(box)).toMatch(/^Siân/)
    await userEvent.keyboard('{Enter}')
    expect(box.value).toBe('Siân Ó Briain')
    expect([box.getAttribute('aria-expanded'), assigned()]).toEqual(['false', undefined])
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(assigned()).toEqual({ advocate: 2 }))
  })

  test('filters by a part of the name or team, and is chosen by a click', async () => {
    const opened = await openDialog()
    await userEvent.type(opened.box, 'sian')
    expect(options()).toEqual([expect.stringMatching(/^Siân/)])
    await userEvent.clear(opened.box)
    await userEvent.type(opened.box, 'HUB')
    expect(opened.dialog.getByText('1 found')).toBeTruthy()
    await userEvent.click(opened.dialog.getByRole('option'))
    expect(opened.box.value).toBe('Ann Ames')
    expect(document.activeElement).toBe(opened.box)
    await send(opened)
    await waitFor(() => expect(assigned()).toEqual({ advocate: 1 }))
  })

  test('does not choose by typed text alone; Escape restores the choice and leaves the dialog open', async () => {
    const opened = await openDialog()
    const { dialog, box } = opened
    await userEvent.type(box, 'cy{Enter}')
    expect(box.value).toBe('Cy Dunn')
    await userEvent.type(box, ' x')
    expect(dialog.getByText('Nothing matches “Cy Dunn x”')).toBeTruthy()
    await userEvent.keyboard('{Escape}')
    expect(box.value).toBe('Cy Dunn')
    expect(screen.getByRole('dialog', { name: /^Assign/ })).toBeTruthy()
    await userEvent.type(box, ' x')
    await send(opened)
    expect(box.value).toBe('Cy Dunn x')
    expect(dialog.getAllByText('Choose advocate')).toHaveLength(2)
    expect(dialog.getByText('Nothing is chosen yet: choose one from the list')).toBeTruthy()
    expect(assigned()).toBeUndefined()
  })

  test('chooses by a whole name without the list, and clears the choice by an empty box', async () => {
    const opened = await openDialog()
    await userEvent.type(opened.box, 'ann ames')
    await userEvent.tab()
    expect(opened.box.value).toBe('Ann Ames')
    await userEvent.clear(opened.box)
    await send(opened)
    expect(opened.dialog.getAllByText('Choose advocate')).toHaveLength(2)
    expect(assigned()).toBeUndefined()
  })
})

describe('the issues that a manager may see', () => {
  async function openForm() {
    await open({ 'new-action': contract.screens['new-action'] }, '/action/new', MANAGER)
    await screen.findByRole('button', { name: 'Save' })
    await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull())
  }

  test('are options of a select if they are few', async () => {
    fakeServer.use({ 'GET /api/issues/open': page([issue(3, 'Jan Powell')]) })
    await openForm()
    await userEvent.selectOptions(screen.getByLabelText(/^Issue/), 'Jan Powell – Housing (#3)')
    expect(fakeServer.requestsTo('GET /api/staff/me/issues')).toEqual([])
  })

  test('come into the box that was opened before they were there, however few they are', async () => {
    let answer: (reply: Reply) => void = () => {}
    fakeServer.use({ 'GET /api/issues/open': () => new Promise((resolve) => (answer = resolve)) })
    await open({ 'new-action': contract.screens['new-action'] }, '/action/new', MANAGER)
    const box = await screen.findByRole('combobox', { name: /^Issue/ })
    await userEvent.click(box)
    answer(page([issue(3, 'Jan Powell')]))
    await userEvent.click(await screen.findByRole('option', { name: 'Jan Powell – Housing (#3)' }))
    expect(box.isConnected).toBe(true)
    expect((box as HTMLInputElement).value).toBe('Jan Powell – Housing (#3)')
  })

  test('are searched on the server if they are more than one page', async () => {
    const first = Array.from({ length: 100 }, (_, i) => issue(i + 1, `Client ${i + 1}`))
    fakeServer.use({
      'GET /issue/900/': { data: issue(900, 'Zoe Last') },
      'GET /api/issues/open': ({ query }) =>
        query.term ? page([issue(900, 'Zoe Last')]) : page(first, { count: 640 }),
    })
    await openForm()
    const box = screen.getByRole('combobox', { name: /^Issue/ }) as HTMLInputElement
    await userEvent.type(box, 'zoe')
    await screen.findByRole('option', { name: 'Zoe Last – Housing (#900)' })
    await userEvent.keyboard('{Enter}')
    expect(box.value).toBe('Zoe Last – Housing (#900)')
    const terms = fakeServer.requestsTo('GET /api/issues/open').map(({ query }) => query.term)
    expect(terms).toEqual([undefined, 'zoe'])
  })
})

test("matching ignores case, accents and punctuation, and treats & as 'and'", () => {
  expect(matches('Siân O’Brien & Sons', 'SIAN o brien and')).toBe(true)
  expect(matches('Ann Ames 3 open issues', 'ames 3')).toBe(true)
  expect(matches('Ann Ames', 'ann x')).toBe(false)
  expect(matches('Ann Ames', '')).toBe(true)
})
