import { act, cleanup, renderHook, screen as view, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { deadlineWords, dueWords } from '../../src/engine/cells/DueCell.tsx'
import { closeSidePanel, useSidePanel } from '../../src/engine/core/sidePanel.ts'
import { contract as boats } from './boats.ts'
import { fakeServer, page } from './fakeServer.ts'
import { open } from './open.tsx'

const { boat } = boats.entities
/** Boats that wait for something to be done. */
const contract = {
  ...boats,
  entities: {
    boat: {
      ...boat,
      properties: {
        ...boat.properties,
        step: { title: 'Next step', type: ['string', 'null'] },
        job: { title: 'Job', type: ['integer', 'null'] },
        due: { title: 'Due', type: ['string', 'null'], format: 'date' },
        seen: { title: 'Seen', type: ['string', 'null'], format: 'date' },
        alerts: { title: 'Alert', type: 'array' },
      },
    },
  },
  endpoints: {
    ...boats.endpoints,
    'boats.finish': {
      call: 'POST /job/{job}/finish',
      does: 'boats.finish',
      touches: ['boat'],
      roles: 'staff',
    },
    'boats.resume': {
      call: 'POST /job/{job}/resume',
      does: 'boats.resume',
      touches: ['boat'],
      roles: 'staff',
    },
    'boats.move': { call: 'PATCH /job/{id}', does: 'boats.move', touches: ['boat'], roles: 'staff' },
    'boats.plan': { call: 'POST /jobs', does: 'boats.plan', body: 'sell', touches: ['boat'], roles: 'staff' },
  },
} as unknown as typeof boats

const move = { call: 'boats.move', params: { id: 'job' }, undo: 'boats.move', undoValues: { due: '{due}' } }
const LIST = {
  route: '/boats',
  kind: 'list',
  title: 'Boats',
  source: 'boats.list',
  groupBy: 'status',
  chips: [
    { label: 'All', filter: {}, count: 'all' },
    { label: 'Leaking', filter: { leaking: 'true' }, count: 'leaking', warn: true },
    { label: 'At Deal', filter: { harbour: '4' }, count: 'deal' },
  ],
  columns: [
    {
      field: 'step',
      width: '40%',
      tick: {
        label: 'Done',
        call: 'boats.finish',
        done: 'Done: {step}',
        undo: 'boats.resume',
        offer: {
          label: 'Write it down',
          sidePanel: 'log',
          values: { boat: '{id}' },
          initialValues: { notes: '{step}', status: '{status}', seen: '{seen}' },
          when: { 'record.owned': true },
        },
        key: 't',
      },
      empty: { label: 'Plan a next step', call: 'boats.plan', form: 'sell', values: { boat: '{id}' } },
    },
    { field: 'name', link: '/boats/{id}', width: '30%', tags: [{ field: 'owned', colour: 'violet' }] },
    { field: 'due', as: 'due', otherwise: { field: 'seen', as: 'quiet' }, width: '30%', sort: true },
  ],
  actions: [
    {
      label: 'Postpone',
      icon: 'time',
      key: 'p',
      when: { 'record.job': { set: true } },
      menu: [
        { label: 'Tomorrow', ...move, values: { due: '+1d' }, done: '{step}: tomorrow' },
        { label: 'Look', to: '/boats/{id}/log' },
      ],
    },
  ],
}
const rows = [
  { id: 7, name: 'Ann', step: 'Scrub', job: 70, due: '2026-01-02', status: 1, owned: true },
  { id: 8, name: 'Bob', step: 'Paint', job: 80, due: '2026-01-05', status: 1, owned: false },
  { id: 9, name: 'Cid', step: null, job: null, due: null, status: 2, owned: false },
]
const reply = (data: object[] = rows) => ({
  data: { ...page(data).data, groups: { 1: 2, 2: 14 }, chips: { all: 16, leaking: 3, deal: 0 } },
})
const sent = () =>
  fakeServer.requests
    .filter(({ path }) => path.startsWith('/job'))
    .map(({ method, path, body }) => [method, path, body])

beforeEach(() => {
  localStorage.clear()
  fakeServer.use({
    'GET /boats/': reply(),
    'GET /harbours/': { data: [] },
    'POST /job/{id}/finish': { data: {} },
    'POST /job/{id}/resume': { data: {} },
    'PATCH /job/{id}': { data: {} },
    'POST /jobs': { data: {} },
  })
})
const show = async (at = '/boats', list: object = LIST) => {
  const opened = await open({ boats: list }, at, { contract })
  await view.findByRole('table')
  return opened
}
const focused = () =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
const press = (name: string) => userEvent.click(view.getByRole('button', { name }))

describe('marks', () => {
  const alerts = [
    { level: 'danger', label: 'Open concern', text: 'Concern: neglect' },
    { level: 'info', label: 'No consent', text: null },
  ]
  const [step, name, ...others] = LIST.columns

  it('stand beside a name: the most serious one in words, the others counted', async () => {
    fakeServer.use({
      'GET /boats/': reply([
        { ...rows[0], alerts },
        { ...rows[1], alerts: [] },
      ]),
    })
    await show('/boats', { ...LIST, columns: [step, { ...name, marks: 'alerts' }, ...others] })
    const [ann, bob] = ['Ann', 'Bob'].map((text) => view.getByRole('link', { name: text }).closest('td')!)
    expect(ann.textContent).toBe('Ann Concern: neglect+1, No consentOwned')
    expect(ann.querySelector('.mark')!.className).toContain('tag-red')
    expect(bob.textContent).toBe('Bob')
  })

  it('are all in a column of their own', async () => {
    fakeServer.use({ 'GET /boats/': reply([{ ...rows[0], alerts }]) })
    await show('/boats', { ...LIST, columns: [step, { field: 'alerts', as: 'marks' }] })
    expect([...document.querySelectorAll('.mark')].map((mark) => mark.textContent)).toEqual([
      'Concern: neglect',
      'No consent',
    ])
  })
})

describe('a row that nobody ticks off', () => {
  it('has a flag in the place of the circle', async () => {
    const [step, ...columns] = LIST.columns
    const flag = { when: { 'record.job': { set: false } }, label: 'Deadline' }
    const tick = { ...step.tick, when: { 'record.job': { set: true } } }
    fakeServer.use({ 'GET /boats/': reply([rows[0], { ...rows[1], job: null }]) })
    await show('/boats', { ...LIST, columns: [{ ...step, tick, flag }, ...columns] })
    expect(view.getByRole('button', { name: 'Done: Scrub, Ann' })).toBeTruthy()
    expect(view.queryByRole('button', { name: 'Done: Paint, Bob' })).toBeNull()
    const cell = view.getByText('Paint').closest<HTMLElement>('th, td')!
    expect(within(cell).getByTitle('Deadline')).toBeTruthy()
    expect(view.getAllByTitle('Deadline')).toHaveLength(1)
  })
})

describe('groups', () => {
  it('have captions with how many rows there are in all, in the order of the call', async () => {
    await show()
    const captions = view
      .getAllByRole('rowheader')
      .filter((cell) => cell.getAttribute('scope') === 'rowgroup')
    expect(captions.map(({ textContent }) => textContent)).toEqual(['Afloat 2', 'Ashore 14'])
    expect(fakeServer.requestsTo('GET /boats/')[0].query).not.toHaveProperty('order_by')
  })

  it('say of what, and the title counts what it names', async () => {
    const counted = { rows: 'rows', key: 'boats', one: 'boat', many: 'boats' }
    fakeServer.use({ 'GET /boats/': { data: { ...reply().data, boats: 2 } } })
    await show('/boats', { ...LIST, counted })
    expect(view.getByText('2 boats')).toBeTruthy()
    expect(view.getByText('Showing 1 to 3 of 3 rows')).toBeTruthy()
    expect(view.getByRole('button', { name: 'All 16 rows' })).toBeTruthy()
    expect(view.getAllByRole('rowheader').map(({ textContent }) => textContent)).toContain('Afloat 2 rows')
  })

  it('are none under another order', async () => {
    await show('/boats?sort=due')
    expect(view.queryByText('Afloat')).toBeNull()
  })

  it('show what else is true of a row as a tag', async () => {
    await show()
    expect(view.getAllByText('Owned').map(({ className }) => className)).toEqual([
      expect.stringContaining('tag-violet'),
    ])
  })
})

describe('quick filters', () => {
  const chips = () =>
    within(view.getByRole('list', { name: 'Quick filters' }))
      .getAllByRole('button')
      .map((chip) => [chip.textContent?.trim(), chip.getAttribute('aria-pressed')])

  it('say how many rows they leave; one is on, stands in the address and is no tag', async () => {
    const { address } = await show()
    expect(chips()).toEqual([
      ['All 16', 'true'],
      ['Leaking 3', 'false'],
      ['At Deal 0', 'false'],
    ])
    await press('Leaking 3')
    expect(address()).toBe('/boats?leaking=true')
    await press('At Deal 0')
    expect(address()).toBe('/boats?harbour=4')
    expect(chips()[2]).toEqual(['At Deal 0', 'true'])
    expect(view.queryByRole('list', { name: 'Filtered by' })).toBeNull()
    await press('At Deal 0')
    expect(address()).toBe('/boats')
  })

  it('leave the other filters as they are', async () => {
    const { address } = await show('/boats?name=An')
    await press('Leaking 3')
    expect(address()).toBe('/boats?name=An&leaking=true')
    await press('All 16')
    expect(address()).toBe('/boats?name=An')
  })
})

describe('completing a task', () => {
  it('does it by one press, moves to the next row and can be undone', async () => {
    const { notices } = await show()
    await press('Done: Scrub, Ann')
    await waitFor(() => expect(focused()).toBe('Done: Paint, Bob'))
    expect(sent()).toEqual([['POST', '/job/70/finish', undefined]])
    expect(notices[0]).toMatchObject({ kind: 'success', text: 'Done: Scrub', action: { label: 'Undo' } })
    notices[0].action?.run()
    await waitFor(() => expect(sent()[1]).toEqual(['POST', '/job/70/resume', undefined]))
  })

  it('keeps its row in place for a moment, and ignores a second press on it', async () => {
    fakeServer.use({
      'POST /job/{id}/finish': () => {
        fakeServer.use({ 'GET /boats/': reply(rows.slice(1)) })
        return { data: {} }
      },
    })
    await show()
    await press('Done: Scrub, Ann')
    await waitFor(() => expect(sent()).toHaveLength(1))
    const tick = view.getByRole('button', { name: 'Done: Scrub, Ann' })
    await waitFor(() => expect(tick.getAttribute('aria-disabled')).toBe('true'))
    await userEvent.click(tick)
    expect(sent()).toHaveLength(1)
    expect(fakeServer.requestsTo('GET /boats/')).toHaveLength(1)
    await waitFor(() => expect(view.queryByRole('button', { name: 'Done: Scrub, Ann' })).toBeNull())
  })

  it('offers what can be done next for that row, where it may be', async () => {
    const { notices } = await show()
    await press('Done: Scrub, Ann')
    await waitFor(() => expect(notices[0]?.offer?.label).toBe('Write it down'))
    const { result } = renderHook(useSidePanel)
    act(() => notices[0].offer!.run())
    expect(result.current).toEqual({
      screen: 'log',
      query: { boat: '7' },
      // A number stays one, and what is not set is left to the form.
      initialValues: { notes: 'Scrub', status: 1 },
    })
    act(closeSidePanel)
    await press('Done: Paint, Bob')
    await waitFor(() => expect(notices[1]?.text).toBe('Done: Paint'))
    expect(notices[1].offer).toBeUndefined()
  })

  it('has a key, for the row that has the focus only', async () => {
    await show()
    await userEvent.keyboard('t')
    expect(sent()).toEqual([])
    await userEvent.keyboard('jjt')
    await waitFor(() => expect(sent()).toEqual([['POST', '/job/80/finish', undefined]]))
  })

  it('is not there without a value; a step can be planned in its place', async () => {
    await show()
    expect(view.queryByRole('button', { name: /^Done: .*Cid/ })).toBeNull()
    await press('Plan a next step Cid')
    const dialog = within(await view.findByRole('dialog'))
    await userEvent.type(await dialog.findByLabelText('Buyer'), 'Dan')
    await userEvent.click(dialog.getByRole('button', { name: 'Plan a next step' }))
    await waitFor(() =>
      expect(fakeServer.requestsTo('POST /jobs')[0]?.body).toEqual({ boat: 9, buyer: 'Dan' }),
    )
  })
})

describe('a menu of a row', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-31T12:00:00Z') })
    return () => vi.useRealTimers()
  })

  it('puts off by the keyboard, moves to the next row, and undo brings the day back that was there', async () => {
    const { notices } = await show()
    await userEvent.keyboard('jp')
    expect(view.getByRole('menu', { name: 'Postpone' })).toBeTruthy()
    expect(focused()).toBe('Tomorrow')
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await waitFor(() => expect(sent()).toEqual([['PATCH', '/job/70', { due: '2026-02-01' }]]))
    await waitFor(() => expect(focused()).toBe('Postpone Paint, Bob'))
    expect(view.queryByRole('menu')).toBeNull()
    notices[0].action?.run()
    await waitFor(() => expect(sent()[1]).toEqual(['PATCH', '/job/70', { due: '2026-01-02' }]))
  })

  it('leads to pages, closes by Escape, and is not there where nothing can be put off', async () => {
    await show()
    expect(view.queryByRole('button', { name: /^Postpone.*Cid/ })).toBeNull()
    await press('Postpone Paint, Bob')
    expect(view.getByRole('menuitem', { name: 'Look' }).getAttribute('href')).toBe('/boats/8/log')
    await userEvent.keyboard('{Escape}')
    expect([view.queryByRole('menu'), focused()]).toEqual([null, 'Postpone Paint, Bob'])
  })
})

describe('later days', () => {
  it('are a menu of tomorrow, a week and a day of one’s own, each of which can be undone', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-31T12:00:00Z') })
    const later = { field: 'due', value: 'due', form: 'sell' }
    const { call, params } = move
    const actions = [{ label: 'Postpone', call, params, later, done: '{step}' }]
    const { notices } = await show('/boats', { ...LIST, actions })
    await press('Postpone Paint, Bob')
    expect(view.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Tomorrow',
      'In 7 days',
      'Choose a day',
    ])
    await userEvent.click(view.getByRole('menuitem', { name: 'In 7 days' }))
    await waitFor(() => expect(sent()).toEqual([['PATCH', '/job/80', { due: '2026-02-07' }]]))
    await waitFor(() => expect(notices[0]?.text).toBe('Paint: in 7 days'))
    notices[0].action?.run()
    await waitFor(() => expect(sent()[1]).toEqual(['PATCH', '/job/80', { due: '2026-01-05' }]))
    vi.useRealTimers()
  })
})

describe('a missing value', () => {
  it('is replaced by words in the colour of how long it has been', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-31T12:00:00Z') })
    const quiet = (id: number, seen: string) => ({ ...rows[2], id, name: `Boat ${id}`, seen })
    fakeServer.use({
      'GET /boats/': reply([
        { ...rows[0], seen: '2025-12-01' },
        quiet(9, '2026-01-03'),
        quiet(10, '2026-01-04'),
      ]),
    })
    await show()
    const words = view.getAllByText(/quiet$/)
    expect(words.map(({ textContent }) => textContent)).toEqual(['28 days quiet', '27 days quiet'])
    expect(words.map(({ className }) => /tag-(\w+)/.exec(className)?.[1])).toEqual(['amber', 'grey'])
    vi.useRealTimers()
  })
})

describe('low rows', () => {
  it('are chosen once for all lists and remembered', async () => {
    await show()
    expect(view.getByRole('table').className).not.toContain('list-compact')
    await press('Columns')
    await userEvent.click(await view.findByRole('checkbox', { name: 'Compact rows in every list' }))
    cleanup()
    await show()
    expect(view.getByRole('table').className).toContain('list-compact')
  })
})

it.each([
  ['2026-01-30', '1 day overdue', 'red'],
  ['2026-01-06', '25 days overdue', 'red'],
  ['2025-10-31', '3 months overdue', 'red'],
  ['2023-01-01', '3 years overdue', 'red'],
  ['2026-01-31', 'Today', 'amber'],
  ['2026-02-01', 'Tomorrow', 'blue'],
  ['2026-02-05', 'Thursday', 'blue'],
  ['2026-02-07', '7 February', 'blue'],
  ['2027-02-07', '7 Feb 2027', 'blue'],
])('what is due on %s is shown as %s', (day, words, colour) => {
  expect(dueWords(day, '2026-01-31')).toEqual({ words, colour })
})

it.each([
  [{ deadline_state: 'late' }, '2026-01-22', '9 days late', 'red'],
  [{ deadline_state: 'soon' }, '2026-02-01', 'Tomorrow', 'amber'],
  [{ deadline_state: 'due' }, '2026-02-05', 'Thursday', 'blue'],
  [{ deadline_state: 'due', paused_since: '2026-01-20' }, '2026-02-05', 'Paused', 'grey'],
  [{ deadline_state: 'met', is_in_time: true }, '2026-01-22', 'Met', 'green'],
  [{ deadline_state: 'met', is_in_time: false }, '2026-01-22', 'Met late', 'grey'],
  [{ deadline_state: 'missed' }, '2026-01-22', 'Missed', 'red'],
  [{ deadline_state: 'excused' }, '2026-01-22', 'Excused', 'grey'],
])('a deadline of %j on %s is shown as %s', (row, day, words, colour) => {
  expect(deadlineWords(row, day, '2026-01-31')).toEqual({ words, colour })
})
