// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DetailScreen, FormScreen } from '../../src/contract/generated.ts'
import { Actions } from '../../src/engine/actions/Actions.tsx'
import FormKind from '../../src/engine/form/Form.tsx'
import { matches } from '../../src/engine/widgets/matches.ts'
import { contract, Providers, type Sent, serve, USER } from './formFixtures.tsx'

const PEOPLE = [
  { id: 1, name: 'Ann Ames', team: 'Eastern Help Hub', workload: '3 open issues', leave: null },
  { id: 2, name: 'Siân Ó Briain', team: 'team of Bo Lee', workload: '1 open issue', leave: 'on leave' },
  { id: 3, name: 'Cy Dunn', team: null, workload: '0 open issues', leave: null },
]
const issue = (id: number, client_name: string) => ({ id, case: 7, client_name, issue_type_label: 'Housing' })
const MANAGER = { ...USER, groups: [2] }
let sent: Sent[]
let issues: (one: Sent) => unknown

beforeEach(() => {
  issues = () => ({ data: [], pagination: { count: 0 } })
  sent = serve((one) => {
    const { method, path, body } = one
    if (path === '/api/staff/caseworkers') return { data: PEOPLE, pagination: { count: 3 } }
    if (path === '/api/actions/last') return {}
    if (path === '/api/issues/open') return issues(one)
    if (path.startsWith('/api/drafts')) return { id: 12, version: 1 }
    return method === 'POST' ? { id: 8, ...body } : undefined
  })
})
afterEach(cleanup)

async function openDialog() {
  const { actions } = contract.screens.issue as DetailScreen
  const record = { id: 8, is_opened: true, status: 1 }
  const element = <Actions actions={actions} record={record} params={{ id: '8' }} />
  render(
    <Providers user={MANAGER}>
      <RouterProvider router={createMemoryRouter([{ path: '*', element }])} />
    </Providers>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Assign' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Assign' }))
  const box = (await dialog.findByRole('combobox', { name: 'Advocate' })) as HTMLInputElement
  await waitFor(() => expect(box.getAttribute('aria-busy')).toBeNull())
  return { dialog, box }
}
const options = () => screen.queryAllByRole('option').map((o) => o.textContent)
const active = (box: HTMLElement) =>
  document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent
const assigned = () => sent.find(({ path }) => path === '/issue/8/assign_advocate/')?.body
const send = ({ dialog }: Awaited<ReturnType<typeof openDialog>>) =>
  userEvent.click(dialog.getByRole('button', { name: 'Assign' }))

describe('a record among many', () => {
  test('is offered with what to know of it, and chosen by the keyboard', async () => {
    const { dialog, box } = await openDialog()
    expect(box.getAttribute('aria-expanded')).toBe('false')
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

  test('is found by a part of its name or team, and chosen by a click', async () => {
    const opened = await openDialog()
    await userEvent.type(opened.box, 'sian')
    expect(options()).toEqual([expect.stringMatching(/^Siân/)])
    await userEvent.clear(opened.box)
    await userEvent.type(opened.box, 'HUB')
    expect(opened.dialog.getByRole('status').textContent).toBe('1 found')
    await userEvent.click(opened.dialog.getByRole('option'))
    expect(opened.box.value).toBe('Ann Ames')
    expect(document.activeElement).toBe(opened.box)
    await send(opened)
    await waitFor(() => expect(assigned()).toEqual({ advocate: 1 }))
  })

  test('is not chosen by what is only typed; Escape goes back to the choice before, and leaves the dialog open', async () => {
    const opened = await openDialog()
    const { dialog, box } = opened
    await userEvent.type(box, 'cy{Enter}')
    expect(box.value).toBe('Cy Dunn')
    await userEvent.type(box, ' x')
    expect(dialog.getByRole('status').textContent).toBe('Nothing matches “Cy Dunn x”')
    await userEvent.keyboard('{Escape}')
    expect(box.value).toBe('Cy Dunn')
    expect(screen.getByRole('dialog', { name: 'Assign' })).toBeTruthy()
    await userEvent.type(box, ' x')
    await send(opened)
    expect(box.value).toBe('Cy Dunn x')
    expect(dialog.getAllByText('Choose advocate')).toHaveLength(2)
    expect(dialog.getByText('Nothing is chosen yet: choose one of the list')).toBeTruthy()
    expect(assigned()).toBeUndefined()
  })

  test('is chosen by its whole name without the list, and taken back by an empty box', async () => {
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

describe('whoever has no issues of their own', () => {
  async function openForm() {
    const described = contract.screens['new-action'] as FormScreen
    const routes = [{ path: '*', element: <FormKind screen={described} /> }]
    render(
      <Providers user={MANAGER}>
        <RouterProvider router={createMemoryRouter(routes, { initialEntries: ['/action/new'] })} />
      </Providers>,
    )
    await screen.findByRole('button', { name: 'Save' })
    await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull())
  }

  test('chooses among those they may see: a few are listed', async () => {
    issues = () => ({ data: [issue(3, 'Jan Powell')], pagination: { count: 1 } })
    await openForm()
    await userEvent.selectOptions(screen.getByLabelText(/^Issue/), 'Jan Powell – Housing (#3)')
    expect(sent.some(({ path }) => path === '/api/staff/me/issues')).toBe(false)
  })

  test('more than are read at once are looked for by the server', async () => {
    const first = Array.from({ length: 100 }, (_, i) => issue(i + 1, `Client ${i + 1}`))
    issues = ({ params }) =>
      params.term
        ? { data: [issue(900, 'Zoe Last')], pagination: { count: 1 } }
        : { data: first, pagination: { count: 640 } }
    await openForm()
    const box = screen.getByRole('combobox', { name: /^Issue/ }) as HTMLInputElement
    await userEvent.type(box, 'zoe')
    await screen.findByRole('option', { name: 'Zoe Last – Housing (#900)' })
    await userEvent.keyboard('{Enter}')
    expect(box.value).toBe('Zoe Last – Housing (#900)')
    const terms = sent.filter(({ path }) => path === '/api/issues/open').map(({ params }) => params.term)
    expect(terms).toEqual([undefined, 'zoe'])
  })
})

test('case, accents and punctuation make no difference, and & is a word', () => {
  expect(matches('Siân O’Brien & Sons', 'SIAN o brien and')).toBe(true)
  expect(matches('Ann Ames 3 open issues', 'ames 3')).toBe(true)
  expect(matches('Ann Ames', 'ann x')).toBe(false)
  expect(matches('Ann Ames', '')).toBe(true)
})
