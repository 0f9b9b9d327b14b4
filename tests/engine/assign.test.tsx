// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, Link, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AssignScreen } from '../../src/contract/generated.ts'
import { Actions } from '../../src/engine/actions/Actions.tsx'
import Assign from '../../src/engine/assign/Assign.tsx'
import { type Notice, subscribeToNotices } from '../../src/engine/runtime/notices.ts'
import { contract, Providers, type Sent, serve, USER } from './formFixtures.tsx'

const ADMIN = { ...USER, groups: [1] }
const HAND_OVER = contract.screens['staff-hand-over'] as AssignScreen
const issue = (id: number, client_name: string, service: number) => ({
  id,
  case: id + 100,
  client_name,
  service,
  contract: 7,
  next_step: 'Ring the ward',
  next_due: '2026-12-01',
})
const assignee = (id: number, name: string) => ({
  id,
  name,
  workload: '2 open issues',
  leave: null,
  team: null,
})
const list = (data: object[]) => ({
  data,
  pagination: { p: 1, page_size: 500, count: data.length, num_pages: 1 },
})

let open: ReturnType<typeof issue>[]
let reply: (one: Sent) => unknown
let sent: Sent[]
let notices: Notice[]
let unhear: () => void
beforeEach(() => {
  open = [issue(8, 'Ann Ames', 1), issue(9, 'Bo Bell', 2)]
  reply = () => ({ count: 2, words: '2 issues are' })
  notices = []
  unhear = subscribeToNotices((notice) => notices.push(notice))
  sent = serve((one) => {
    if (one.path === '/api/staff/5') return { id: 5, name: 'Lee Low', version: 1 }
    if (one.path === '/api/staff/5/work') return list(open)
    if (one.path === '/api/staff/assignees') {
      const both = [assignee(1, 'Cy Dunn'), assignee(5, 'Lee Low')]
      return list(one.params.service === 2 ? both : [...both, assignee(2, 'Di Eve')])
    }
    if (one.path === '/api/staff/5/hand_over') return reply(one)
    if (one.path === '/api/staff/5/open_work')
      return later([{ id: 'issues', label: '2 open issues: hand over', to: '/advocate/5/hand-over' }])
    return undefined
  })
})
afterEach(() => {
  unhear()
  cleanup()
})

/** What a check finds takes its time. */
const later = <T,>(found: T) => new Promise<T>((resolve) => setTimeout(() => resolve(found), 300))

async function show() {
  const page = (
    <>
      <Assign screen={HAND_OVER} />
      <Link to="/elsewhere">Elsewhere</Link>
    </>
  )
  const router = createMemoryRouter(
    [
      { path: '/advocate/:id/hand-over', element: page },
      { path: '*', element: 'elsewhere' },
    ],
    { initialEntries: ['/advocate/5/hand-over'] },
  )
  render(
    <Providers user={ADMIN}>
      <RouterProvider router={router} />
    </Providers>,
  )
  await screen.findByRole('heading', { name: 'Hand over the work of Lee Low' })
  await waitFor(() => expect(box(/for all/).getAttribute('aria-busy')).toBeNull())
  return router
}
const box = (name: RegExp) => screen.getByRole('combobox', { name }) as HTMLInputElement
const options = () => screen.queryAllByRole('option').map((o) => o.textContent)
const choose = async (name: RegExp, who: RegExp) => {
  await userEvent.click(box(name))
  await userEvent.click(await screen.findByRole('option', { name: who }))
}
const press = () => userEvent.click(screen.getByRole('button', { name: 'Hand over' }))
const bodies = () => sent.filter(({ method }) => method === 'POST').map(({ body }) => body)

test('one choice stands in every row, and each row can be given to another', async () => {
  await show()
  await choose(/for all/, /Cy Dunn/)
  await waitFor(() => expect(box(/of Ann Ames, 8/).value).toBe('Cy Dunn'))
  expect(box(/of Bo Bell, 9/).value).toBe('Cy Dunn')
  await choose(/of Ann Ames/, /Di Eve/)
  expect(screen.getByText('2 of 2 chosen, not saved yet')).toBeTruthy()
  open = []
  await press()
  await waitFor(() => expect(notices.map((n) => n.text)).toEqual(['2 issues are handed over']))
  expect(bodies()).toEqual([
    {
      to: [
        { issue: 8, advocate: 2 },
        { issue: 9, advocate: 1 },
      ],
    },
  ])
  await screen.findByText('Nothing is left to hand over.')
})

test('one who cannot take all is given what they can, and the rest is said', async () => {
  await show()
  await choose(/of Bo Bell/, /Cy Dunn/)
  await choose(/for all/, /Di Eve/)
  await screen.findByText('Di Eve can take 1 of 2; the others need somebody else.')
  expect(box(/of Ann Ames/).value).toBe('Di Eve')
  expect(box(/of Bo Bell/).value).toBe('Cy Dunn')
})

test('offers those whom the row allows, never the person themselves', async () => {
  await show()
  await userEvent.click(box(/of Bo Bell/))
  await waitFor(() => expect(options()).toHaveLength(1))
  expect(options()[0]).toContain('Cy Dunn')
  const asked = sent.filter(({ path }) => path === '/api/staff/assignees').map(({ params }) => params)
  expect(asked).toContainEqual({ service: 2, contract: 7, page_size: 100 })
  await userEvent.click(box(/of Ann Ames/))
  await waitFor(() => expect(options().map((o) => o?.slice(0, 6))).toEqual(['Cy Dun', 'Di Eve']))
})

test('an empty row stays; with none chosen nothing is sent', async () => {
  await show()
  await press()
  const alert = screen.getByRole('alert', { name: 'There is a problem' })
  expect(alert.textContent).toContain('choose for one row at least')
  await userEvent.click(within(alert).getByRole('link'))
  expect(document.activeElement).toBe(box(/for all/))
  expect(bodies()).toEqual([])
  await choose(/of Bo Bell/, /Cy Dunn/)
  await press()
  await waitFor(() => expect(bodies()).toEqual([{ to: [{ issue: 9, advocate: 1 }] }]))
})

test('a refusal stands at its row, and what was chosen stays', async () => {
  await show()
  await choose(/of Bo Bell/, /Cy Dunn/)
  reply = () => [400, { 'to.0.advocate': ['Cy Dunn does not work there'] }]
  await press()
  await waitFor(() => expect(box(/of Bo Bell/).getAttribute('aria-invalid')).toBe('true'))
  expect(box(/of Ann Ames/).getAttribute('aria-invalid')).toBeNull()
  const described = document.getElementById(box(/of Bo Bell/).getAttribute('aria-describedby')!)
  expect(described?.textContent).toBe('Error: Cy Dunn does not work there')
  await userEvent.click(screen.getByRole('link', { name: 'Cy Dunn does not work there' }))
  expect(document.activeElement).toBe(box(/of Bo Bell/))
  expect(box(/of Bo Bell/).value).toBe('Cy Dunn')
  const before = sent.at(-1)!.headers['Idempotency-Key']
  await press()
  await waitFor(() => expect(bodies()).toHaveLength(2))
  expect(sent.filter(({ method }) => method === 'POST').at(-1)!.headers['Idempotency-Key']).toBe(before)
})

test('what is asked for is no longer said to be missing once it is chosen', async () => {
  await show()
  await press()
  await screen.findByRole('heading', { name: 'There is a problem' })
  await choose(/for all/, /Cy Dunn/)
  await waitFor(() => expect(screen.queryByText(/choose for one row at least/)).toBeNull())
  expect(screen.queryByRole('heading', { name: 'There is a problem' })).toBeNull()
  expect(box(/for all/).getAttribute('aria-invalid')).toBeNull()
})

test('leaving asks while something is chosen and not sent', async () => {
  const router = await show()
  await choose(/for all/, /Cy Dunn/)
  await userEvent.click(screen.getByRole('link', { name: 'Elsewhere' }))
  const question = within(await screen.findByRole('alertdialog', { name: /unsaved changes/ }))
  await userEvent.click(question.getByRole('button', { name: 'Leave' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/elsewhere'))
})

test('a question that looks first at what is left behind waits for it, asks anew each time, and leads there', async () => {
  const action = {
    label: 'Retire',
    call: 'staff.edit',
    values: { status: 2 },
    confirm: 'Retire {name}?',
    check: 'staff.openWork',
    checked: 'Still theirs',
  }
  const element = <Actions actions={[action]} record={{ id: 5, name: 'Lee Low' }} params={{ id: '5' }} />
  const router = createMemoryRouter([
    { path: '/', element },
    { path: '*', element: 'elsewhere' },
  ])
  render(
    <Providers user={ADMIN}>
      <RouterProvider router={router} />
    </Providers>,
  )
  const asked = () => sent.filter(({ path }) => path === '/api/staff/5/open_work')
  for (const times of [1, 2]) {
    await userEvent.click(screen.getByRole('button', { name: 'Retire' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(dialog.getByRole('button', { name: /Retire/ })).toHaveProperty('disabled', true)
    await dialog.findByRole('link', { name: '2 open issues: hand over' })
    await waitFor(() =>
      expect(dialog.getByRole('button', { name: 'Retire' })).toHaveProperty('disabled', false),
    )
    expect(asked()).toHaveLength(times)
    if (times === 1) await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryAllByRole('alertdialog')).toHaveLength(times - 1))
  }
  await userEvent.click(screen.getByRole('link', { name: '2 open issues: hand over' }))
  expect(router.state.location.pathname).toBe('/advocate/5/hand-over')
})
