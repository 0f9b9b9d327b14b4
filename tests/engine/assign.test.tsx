import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Link } from 'react-router-dom'
import { beforeEach, expect, test } from 'vitest'
import { Actions } from '../../src/engine/actions/Actions.tsx'
import { contract } from '../loadedContract.ts'
import { fakeServer, page } from './fakeServer.ts'
import { open, openElement, person } from './open.tsx'

const ADMIN = { contract, person: person([1]) }
const issue = (id: number, client_name: string, service: number) => ({
  id,
  case: id + 100,
  client: id + 200,
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

const HAND_OVER = 'POST /api/staff/5/hand_over'
let issues: ReturnType<typeof issue>[]
let replyToCheck: () => void
beforeEach(() => {
  issues = [issue(8, 'Ann Ames', 1), issue(9, 'Bo Bell', 2)]
  const both = [assignee(1, 'Cy Dunn'), assignee(5, 'Lee Low')]
  const check = [{ id: 'issues', label: '2 open issues: hand over', to: '/advocate/5/hand-over' }]
  fakeServer.use({
    'GET /api/staff/5': { data: { id: 5, name: 'Lee Low', version: 1 } },
    'GET /api/staff/5/work': () => page(issues),
    'GET /api/staff/assignees': ({ query }) =>
      page(query.service === 2 ? both : [...both, assignee(2, 'Di Eve')]),
    [HAND_OVER]: { data: { count: 2, words: '2 issues are handed over', undo: { issues: [8, 9] } } },
    'GET /api/staff/5/open_work': () =>
      new Promise((resolve) => {
        replyToCheck = () => resolve({ data: check })
      }),
  })
})

async function openHandOver() {
  const opened = await open(
    { 'staff-hand-over': contract.screens['staff-hand-over'] },
    '/advocate/5/hand-over',
    { ...ADMIN, beside: <Link to="/elsewhere">Elsewhere</Link> },
  )
  await screen.findByRole('heading', { name: 'Hand over the work of Lee Low' })
  await waitFor(() => expect(box(/for all/).getAttribute('aria-busy')).toBeNull())
  return opened
}
const box = (name: RegExp) => screen.getByRole('combobox', { name }) as HTMLInputElement
const options = () => screen.queryAllByRole('option').map((o) => o.textContent)
const choose = async (name: RegExp, who: RegExp) => {
  await userEvent.click(box(name))
  await userEvent.click(await screen.findByRole('option', { name: who }))
}
const press = () => userEvent.click(screen.getByRole('button', { name: 'Hand over' }))
const summary = async () =>
  within(await screen.findByRole('alertdialog', { name: /^Hand over the work of Lee Low/ }))
const confirm = async () => userEvent.click((await summary()).getByRole('button', { name: 'Hand over' }))
const bodies = () => fakeServer.requestsTo(HAND_OVER).map(({ body }) => body)

test('assigns every row by one choice, and each row can be assigned to another', async () => {
  const { notices } = await openHandOver()
  await choose(/for all/, /Cy Dunn/)
  await waitFor(() => expect(box(/of Ann Ames, 8/).value).toBe('Cy Dunn'))
  expect(box(/of Bo Bell, 9/).value).toBe('Cy Dunn')
  await choose(/of Ann Ames/, /Di Eve/)
  expect(screen.getByText('2 of 2 chosen, not saved yet')).toBeTruthy()
  issues = []
  await press()
  const moves = (await summary()).getAllByRole('listitem').map((item) => item.textContent)
  expect(moves).toEqual([
    'Move 1 issue of 1 client from Lee Low to Di Eve',
    'Move 1 issue of 1 client from Lee Low to Cy Dunn',
  ])
  expect(bodies()).toEqual([])
  await confirm()
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

test('assigns only the rows that the assignee can take, and names the rest', async () => {
  await openHandOver()
  await choose(/of Bo Bell/, /Cy Dunn/)
  await choose(/for all/, /Di Eve/)
  await screen.findByText('Di Eve can take 1 of 2; the others need somebody else.')
  expect(box(/of Ann Ames/).value).toBe('Di Eve')
  expect(box(/of Bo Bell/).value).toBe('Cy Dunn')
})

test('says before what stays and why, and undoes what was moved', async () => {
  fakeServer.use({
    'POST /api/issues/undo_assign': { data: { count: 1, words: '1 issue is back', failed: [] } },
  })
  const { notices } = await openHandOver()
  await choose(/for all/, /Di Eve/)
  await screen.findByText('Di Eve can take 1 of 2; the others need somebody else.')
  await press()
  const dialog = await summary()
  expect(dialog.getByText('Move 1 issue of 1 client from Lee Low to Di Eve')).toBeTruthy()
  expect(dialog.getByText('1 stays: the service or contract is not theirs (Di Eve).')).toBeTruthy()
  await confirm()
  await waitFor(() => expect(notices.at(-1)?.action?.label).toBe('Undo'))
  act(() => notices.at(-1)!.action!.run())
  await waitFor(() => expect(notices.at(-1)?.text).toBe('Undone'))
  expect(fakeServer.requestsTo('POST /api/issues/undo_assign')[0].body).toEqual({ issues: [8, 9] })
})

test('offers the assignees that each row allows, never the person themselves', async () => {
  await openHandOver()
  await userEvent.click(box(/of Bo Bell/))
  await waitFor(() => expect(options()).toHaveLength(1))
  expect(options()[0]).toContain('Cy Dunn')
  const queries = fakeServer.requestsTo('GET /api/staff/assignees').map(({ query }) => query)
  expect(queries).toContainEqual({ service: 2, contract: 7, page_size: 100 })
  await userEvent.click(box(/of Ann Ames/))
  await waitFor(() => expect(options().map((o) => o?.slice(0, 6))).toEqual(['Cy Dun', 'Di Eve']))
})

test('sends only assigned rows, and nothing if no row is assigned', async () => {
  await openHandOver()
  await press()
  const alert = screen.getByRole('alert', { name: 'There is a problem' })
  expect(alert.textContent).toContain('choose for at least one row')
  await userEvent.click(within(alert).getByRole('link'))
  expect(document.activeElement).toBe(box(/for all/))
  expect(bodies()).toEqual([])
  await choose(/of Bo Bell/, /Cy Dunn/)
  await press()
  expect((await summary()).getByText('1 stays: nobody is chosen.')).toBeTruthy()
  await confirm()
  await waitFor(() => expect(bodies()).toEqual([{ to: [{ issue: 9, advocate: 1 }] }]))
})

test('shows a validation error at its row, and keeps the assignments', async () => {
  await openHandOver()
  await choose(/of Bo Bell/, /Cy Dunn/)
  fakeServer.use({
    [HAND_OVER]: { status: 400, data: { 'to.0.advocate': ['Cy Dunn does not work there'] } },
  })
  await press()
  await confirm()
  await waitFor(() => expect(box(/of Bo Bell/).getAttribute('aria-invalid')).toBe('true'))
  expect(box(/of Ann Ames/).getAttribute('aria-invalid')).toBeNull()
  const described = document.getElementById(box(/of Bo Bell/).getAttribute('aria-describedby')!)
  expect(described?.textContent).toBe('Error: Cy Dunn does not work there')
  await userEvent.click(screen.getByRole('link', { name: 'Cy Dunn does not work there' }))
  expect(document.activeElement).toBe(box(/of Bo Bell/))
  expect(box(/of Bo Bell/).value).toBe('Cy Dunn')
  await press()
  await confirm()
  await waitFor(() => expect(bodies()).toHaveLength(2))
  const [first, second] = fakeServer.requestsTo(HAND_OVER).map((one) => one.headers['Idempotency-Key'])
  expect(first).toBeTruthy()
  expect(second).toBe(first)
})

test('hides the error for a missing choice once it is made', async () => {
  await openHandOver()
  await press()
  await screen.findByRole('heading', { name: 'There is a problem' })
  await choose(/for all/, /Cy Dunn/)
  await waitFor(() => expect(screen.queryByText(/choose for at least one row/)).toBeNull())
  expect(screen.queryByRole('heading', { name: 'There is a problem' })).toBeNull()
  expect(box(/for all/).getAttribute('aria-invalid')).toBeNull()
})

test('asks before leaving with unsaved assignments', async () => {
  const { router } = await openHandOver()
  await choose(/for all/, /Cy Dunn/)
  await userEvent.click(screen.getByRole('link', { name: 'Elsewhere' }))
  const question = within(await screen.findByRole('alertdialog', { name: /unsaved changes/ }))
  await userEvent.click(question.getByRole('button', { name: 'Leave' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/elsewhere'))
})

test('a confirmation waits for its check, checks again each time, and links to the result', async () => {
  const action = {
    label: 'Retire',
    call: 'staff.edit',
    values: { status: 2 },
    confirm: 'Retire {name}?',
    check: 'staff.openWork',
    checked: 'Still assigned to them',
  }
  const element = <Actions actions={[action]} record={{ id: 5, name: 'Lee Low' }} params={{ id: '5' }} />
  const { router } = openElement(element, ADMIN)
  for (const times of [1, 2]) {
    await userEvent.click(screen.getByRole('button', { name: 'Retire' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(dialog.getByRole('button', { name: /Retire/ })).toHaveProperty('disabled', true)
    await waitFor(() => expect(fakeServer.requestsTo('GET /api/staff/5/open_work')).toHaveLength(times))
    act(replyToCheck)
    await dialog.findByRole('link', { name: '2 open issues: hand over' })
    await waitFor(() =>
      expect(dialog.getByRole('button', { name: 'Retire' })).toHaveProperty('disabled', false),
    )
    if (times === 1) await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryAllByRole('alertdialog')).toHaveLength(times - 1))
  }
  await userEvent.click(screen.getByRole('link', { name: '2 open issues: hand over' }))
  expect(router.state.location.pathname).toBe('/advocate/5/hand-over')
})
