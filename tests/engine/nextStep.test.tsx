import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Action, DetailScreen } from '../../src/contract/generated.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer, page } from './fakeServer.ts'
import { open, person } from './open.tsx'

const RECORDS = {
  case: {
    at: '/cases/7/details',
    read: 'GET /case/7/',
    tasks: 'GET /api/cases/7/tasks',
    record: { id: 7, status: 1, client: 3, client_name: 'Ann Example', case_type: 1, answers: {} },
    body: { case: 7 },
    closed: { status: 2 },
  },
  issue: {
    at: '/cases/7/issues/9/details',
    read: 'GET /issue/9/',
    tasks: 'GET /api/issues/9/tasks',
    record: {
      id: 9,
      case: 7,
      status: 1,
      is_opened: true,
      client: 3,
      client_name: 'Ann Example',
      answers: {},
    },
    body: { issue: 9 },
    closed: { is_opened: false },
  },
}
/** The record's screen with its cards for next steps only: the other parts have tests of their own. */
const screenOf = (name: string) => {
  const {
    tabs: _,
    banner: __,
    opened: ___,
    counts: ____,
    ...described
  } = contract.screens[name] as DetailScreen
  return { ...described, aside: described.aside?.filter(({ empty }) => empty), tabs: [`${name}-empty`] }
}
const TAB = (name: string) => ({
  ...contract.screens['draft-cases'],
  route: `${contract.screens[name].route}/details`,
  title: 'Details',
})
const show = (name: keyof typeof RECORDS, record: object) => {
  const { at, read, tasks } = RECORDS[name]
  fakeServer.use({
    [read]: { data: record },
    [tasks]: page([]),
    'GET /api/cases/{id}/deadlines': page([]),
    'GET /api/issues/{id}/deadlines': page([]),
    'GET /api/drafts': page([]),
  })
  return open({ [name]: screenOf(name), [`${name}-empty`]: TAB(name) }, at, { contract, person: person([4]) })
}

describe.each(Object.keys(RECORDS) as (keyof typeof RECORDS)[])('a page without an open step: %s', (name) => {
  const { record, body, closed } = RECORDS[name]

  it('offers to plan one where its steps would be', async () => {
    const user = userEvent.setup()
    fakeServer.use({ 'POST /api/tasks': { data: { id: 1, title: 'Ring the ward' }, status: 201 } })
    await show(name, record)
    await user.click(await screen.findByRole('button', { name: 'Plan a next step' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(await dialog.findByLabelText('Next step'), 'Ring the ward')
    await user.click(dialog.getByRole('button', { name: 'Plan a next step' }))
    await waitFor(() => expect(fakeServer.requestsTo('POST /api/tasks')).toHaveLength(1))
    expect(fakeServer.requestsTo('POST /api/tasks')[0].body).toMatchObject({
      ...body,
      title: 'Ring the ward',
    })
  })

  it('offers none once no step can be planned', async () => {
    await show(name, { ...record, ...closed })
    await screen.findByRole('heading', { level: 1 })
    await waitFor(() => expect(fakeServer.requestsTo(RECORDS[name].tasks)).not.toHaveLength(0))
    expect(screen.queryByRole('button', { name: 'Plan a next step' })).toBeNull()
  })
})

it('every step that is done offers to log the action, and logging one asks for the next step', () => {
  const ticks = Object.entries(contract.screens).flatMap(([name, one]) => {
    const lists = one.kind === 'list' ? [one] : one.kind === 'detail' ? (one.aside ?? []) : []
    return lists
      .flatMap(({ columns = [] }) => columns)
      .flatMap((column) =>
        typeof column === 'object' && column.tick ? { name, tick: column.tick as Action } : [],
      )
  })
  expect(ticks.length).toBeGreaterThan(5)
  const left = ticks.filter(
    ({ tick, name }) => tick.offer?.sidePanel !== 'log-action' && name !== 'client-tasks',
  )
  expect(left.map(({ name }) => name)).toEqual(['left-steps'])
  const { groups } = contract.screens['log-action'] as { groups: { fields?: string[] }[] }
  expect(groups.flatMap(({ fields = [] }) => fields)).toEqual(
    expect.arrayContaining(['next_step', 'next_due']),
  )
})
