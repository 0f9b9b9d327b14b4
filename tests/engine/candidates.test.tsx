import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../loadedContract.ts'
import { fakeServer, page } from './fakeServer.ts'
import { open, person } from './open.tsx'
import { lookupHandlers } from './product.ts'

const CANDIDATES = 'GET /api/issues/candidates'
const ASSIGN = 'POST /api/issues/assign_advocate'
const issue = (id: number, client_name: string) => ({
  id,
  case: id + 100,
  client: id + 200,
  client_name,
  service: 1,
})
const candidate = (id: number, name: string, more = {}) => ({
  id,
  name,
  described: name,
  team: 'Leeds',
  leave: null,
  open_issues: id,
  urgent_issues: 0,
  hours: 12.5,
  known: 0,
  distance: 4,
  reason: null,
  ...more,
})

beforeEach(() => {
  fakeServer.use({
    ...lookupHandlers,
    'GET /dashboard/allocations_required/': page([issue(8, 'Ann Ames'), issue(9, 'Bo Bell')]),
    [CANDIDATES]: ({ query }) =>
      page(
        [
          candidate(1, 'Cy Dunn', { reason: 'Works nearby' }),
          candidate(2, 'Di Eve', { leave: 'on leave' }),
        ].filter(
          ({ name, leave }) =>
            (!query.term || name.includes(String(query.term))) && !(query.at_work && leave !== null),
        ),
      ),
    [ASSIGN]: { data: { count: 2, words: '2 issues are assigned', failed: [] } },
  })
})

const openBoard = () =>
  open({ board: contract.screens['allocations-required'] }, '/dashboard/allocations-required', {
    contract,
    person: person([2]),
  })
const panel = async () => within(await screen.findByRole('complementary', { name: 'Who could take them' }))
const tick = async (name: string) =>
  userEvent.click(await screen.findByRole('checkbox', { name: `Select ${name}` }))

const confirm = async (question: string) => {
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(dialog.getByText(question)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Assign' }))
}

describe('candidates beside a list', () => {
  it('wait until rows are ticked', async () => {
    await openBoard()
    expect(await screen.findByText('Tick one or more issues to see who could take them.')).toBeTruthy()
    expect(fakeServer.requestsTo(CANDIDATES)).toEqual([])
  })

  it('are those of all ticked rows, with their facts, and take these by one button', async () => {
    const { notices } = await openBoard()
    await tick('8')
    await tick('9')
    const first = (await (await panel()).findByText('Cy Dunn')).closest('li')!
    await waitFor(() => expect(fakeServer.requestsTo(CANDIDATES).at(-1)!.query.issues).toBe('8,9'))
    expect(first.textContent).toContain('Works nearby, Leeds')
    expect(within(first).getByText('Open issues').nextElementSibling!.textContent).toBe('1')
    await userEvent.click((await panel()).getByRole('button', { name: 'Assign 2 to Cy Dunn' }))
    await confirm('Assign 2 issues of 2 clients to Cy Dunn?')
    await waitFor(() => expect(notices.map(({ text }) => text)).toEqual(['2 issues are assigned']))
    expect(fakeServer.requestsTo(ASSIGN)[0].body).toEqual({ issues: [8, 9], advocate: 1 })
    expect(await screen.findByText('Tick one or more issues to see who could take them.')).toBeTruthy()
  })

  it('give back what the notice undoes, as the server named it', async () => {
    fakeServer.use({
      [ASSIGN]: { data: { count: 2, words: '2 issues are assigned', failed: [], undo: { issues: [8, 9] } } },
      'POST /api/issues/undo_assign': { data: { count: 2, words: '2 issues are back', failed: [] } },
    })
    const { notices } = await openBoard()
    await tick('8')
    await tick('9')
    await userEvent.click(await (await panel()).findByRole('button', { name: 'Assign 2 to Cy Dunn' }))
    await confirm('Assign 2 issues of 2 clients to Cy Dunn?')
    await waitFor(() => expect(notices.at(-1)?.action?.label).toBe('Undo'))
    act(() => notices.at(-1)!.action!.run())
    await waitFor(() => expect(notices.at(-1)?.text).toBe('Undone'))
    expect(fakeServer.requestsTo('POST /api/issues/undo_assign')[0].body).toEqual({ issues: [8, 9] })
  })

  it('leave what could not be given ticked, and say why', async () => {
    const failed = [{ id: 9, message: 'Bo has moved away' }]
    fakeServer.use({ [ASSIGN]: { data: { count: 1, words: '1 issue is assigned', failed } } })
    const { notices } = await openBoard()
    await tick('8')
    await tick('9')
    await userEvent.click(await (await panel()).findByRole('button', { name: 'Assign 2 to Cy Dunn' }))
    await confirm('Assign 2 issues of 2 clients to Cy Dunn?')
    await waitFor(() => expect(notices.at(-1)?.text).toBe('9: Bo has moved away. They are still selected.'))
    expect(await (await panel()).findByRole('button', { name: 'Assign 1 to Cy Dunn' })).toBeTruthy()
  })

  it('are fewer by what is switched on', async () => {
    await openBoard()
    await tick('8')
    await (await panel()).findByText('on leave, Leeds')
    await userEvent.click((await panel()).getByRole('checkbox', { name: 'At work' }))
    await waitFor(async () => expect((await panel()).queryByText('Di Eve')).toBeNull())
    await userEvent.click((await panel()).getByRole('checkbox', { name: 'Works nearby' }))
    await waitFor(() =>
      expect(fakeServer.requestsTo(CANDIDATES).at(-1)!.query).toMatchObject({ at_work: true, nearby: true }),
    )
  })

  it('are found by their name', async () => {
    await openBoard()
    await tick('8')
    await (await panel()).findByText('Cy Dunn')
    await userEvent.type((await panel()).getByRole('searchbox'), 'Eve')
    await waitFor(async () => expect((await panel()).queryByText('Cy Dunn')).toBeNull())
    expect((await panel()).getByText('on leave, Leeds')).toBeTruthy()
  })
})
