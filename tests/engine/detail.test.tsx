import { act, screen as view, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { useBreadcrumbs } from '../../src/engine/core/breadcrumbs.ts'
import { Screen } from '../../src/engine/Screen.tsx'
import { contract as boats } from './boats.ts'
import { fakeServer, page } from './fakeServer.ts'
import { open, person } from './open.tsx'

const BOAT = {
  route: '/boats/{id}',
  kind: 'detail',
  title: 'Boat {id}: {name}',
  read: 'boats.read',
  parent: [{ label: '{harbour_label}', to: '/harbours/{harbour}' }],
  tags: ['status', 'leaking'],
  facts: ['built', { field: 'harbour_label', link: '/harbours/{harbour}' }, 'length'],
  tabs: ['boat-fleet', 'boat-log'],
  actions: [
    { label: 'Retire', call: 'boats.retire', when: { 'record.status': 1 }, done: '{name} is ashore' },
  ],
}
const FLEET = {
  route: '/boats/{id}/fleet',
  kind: 'list',
  title: 'Fleet',
  source: 'boats.of',
  columns: ['name'],
}
const LOG = { ...FLEET, route: '/boats/{id}/log', title: 'Log', roles: ['captain'] }
const screens = { boat: BOAT, 'boat-fleet': FLEET, 'boat-log': LOG }
const ann = {
  id: 7,
  name: 'Ann',
  status: 1,
  leaking: 'yes',
  built: '2026-06-04',
  harbour: 3,
  harbour_label: 'Hull',
  length: null,
}
const handlers = {
  'GET /boat/7/': { data: ann },
  'GET /harbour/7/boats/': page([{ id: 9, name: 'Dee' }]),
}

function Crumbs() {
  return (
    <nav aria-label="Way">
      {useBreadcrumbs()
        .map(({ label, to }) => `${label}>${to}`)
        .join(' | ')}
    </nav>
  )
}

beforeEach(() => fakeServer.use(handlers))

describe('a record', () => {
  it('opens under the number of the record that it was merged into', async () => {
    fakeServer.use({
      'GET /boat/5/': { data: { ...ann, merged_from: [5] } },
      'GET /harbour/5/boats/': page([]),
    })
    await open(screens, '/boats/5/fleet?p=1')
    expect(await view.findByRole('heading', { level: 1, name: 'Boat 7: Ann' })).toBeTruthy()
    expect(await view.findByText('Dee')).toBeTruthy()
  })

  it('renders its title, tags, facts and the tab of the address', async () => {
    await open(screens, '/boats/7/fleet')
    expect(await view.findByRole('heading', { level: 1, name: 'Boat 7: Ann' })).toBeTruthy()
    expect([...document.querySelectorAll('.bp6-tag')].map((t) => t.textContent)).toEqual([
      'Afloat',
      'Leaking',
    ])
    const facts = [...document.querySelectorAll('dl > div')].map((d) =>
      [...d.children].map((c) => c.textContent),
    )
    expect(facts).toEqual([
      ['Built', '4 June 2026'],
      ['Harbour', 'Hull'],
      ['Length', '–'],
    ])
    expect(view.getByRole('link', { name: 'Hull' }).getAttribute('href')).toBe('/harbours/3')
    expect(await view.findByRole('heading', { level: 2, name: 'Fleet' })).toBeTruthy()
    expect(await view.findByText('Dee')).toBeTruthy()
    expect(document.title).toBe('Fleet – Boat 7: Ann')
  })

  it('shows the first rows of a list as cards below its facts, with their buttons, and nothing without rows', async () => {
    const cards = {
      title: 'Repairs',
      list: 'boats.of',
      columns: ['name', 'harbour_label'],
      tag: { field: 'built' },
      actions: [{ label: 'Retire', call: 'boats.retire', when: { 'record.status': 1 } }],
      screen: 'boat-fleet',
    }
    const fleet = [
      { id: 9, name: 'Dee', harbour_label: 'Hull', built: '2026-01-02', status: 1 },
      { id: 10, name: 'Eve', harbour_label: null, built: '2026-01-03', status: 2 },
    ]
    fakeServer.use({ 'GET /harbour/7/boats/': page(fleet) })
    const { unmount } = await open({ ...screens, boat: { ...BOAT, cards } }, '/boats/7/fleet')
    const section = within(await view.findByRole('region', { name: 'Repairs' }))
    expect(section.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Dee2 January 2026HullRetire Dee',
      'Eve3 January 2026',
    ])
    expect(section.getByRole('link', { name: 'All repairs' }).getAttribute('href')).toBe('/boats/7/fleet')
    unmount()
    fakeServer.use({ 'GET /harbour/7/boats/': page([]) })
    await open({ ...screens, boat: { ...BOAT, cards } }, '/boats/7/fleet')
    await waitFor(() => expect(fakeServer.requestsTo('GET /harbour/7/boats/').length).toBeGreaterThan(1))
    expect(view.queryByRole('region', { name: 'Repairs' })).toBeNull()
  })

  it('renders an optional fact only while it has a value', async () => {
    const facts = ['built', { field: 'length', optional: true }]
    fakeServer.use({ 'GET /boat/7/': { data: { ...ann, length: null } } })
    const { unmount } = await open({ ...screens, boat: { ...BOAT, facts } }, '/boats/7/fleet')
    await view.findByText('4 June 2026')
    expect(view.queryByText('Length')).toBeNull()
    unmount()
    fakeServer.use({ 'GET /boat/7/': { data: { ...ann, length: 9 } } })
    await open({ ...screens, boat: { ...BOAT, facts } }, '/boats/7/fleet')
    expect(await view.findByText('Length')).toBeTruthy()
  })

  it('is not read again by the page that the action which removed it leaves', async () => {
    const sink = { label: 'Sink', call: 'boats.remove', then: '/harbours/{harbour}', done: '{name} is gone' }
    const harbour = { ...FLEET, route: '/harbours/{id}', title: 'Harbour' }
    await open({ ...screens, boat: { ...BOAT, actions: [sink] }, harbour }, '/boats/7/fleet')
    fakeServer.use({
      'DELETE /boat/7/': { status: 204 },
      'GET /boat/7/': { status: 404, data: {} },
      'GET /harbour/3/boats/': page([]),
    })
    await userEvent.click(await view.findByRole('button', { name: 'Sink' }))
    expect(await view.findByRole('heading', { level: 1, name: 'Harbour' })).toBeTruthy()
    expect(fakeServer.requestsTo('GET /boat/7/')).toHaveLength(1)
  })

  it('begins with what a list knows of it, and reads its tab at the same time', async () => {
    let answer = () => {}
    const pending = new Promise<void>((resolve) => {
      answer = resolve
    })
    fakeServer.use({
      ...handlers,
      'GET /harbours/': { data: [] },
      'GET /boats/': page([{ id: 7, name: 'Ann', status: 2 }]),
      'GET /boat/7/': () => pending.then(() => ({ data: ann })),
    })
    const LIST = { route: '/boats', kind: 'list', title: 'Boats', source: 'boats.list', columns: ['name'] }
    const { router } = await open({ ...screens, boats: LIST }, '/boats')
    await view.findByText('Ann')
    await act(() => router.navigate('/boats/7/fleet'))
    expect(view.getByRole('heading', { level: 1, name: 'Boat 7: Ann' })).toBeTruthy()
    expect(await view.findByText('Dee')).toBeTruthy()
    expect(document.title).toBe('Fleet – Boat 7: Ann')
    // A row may be old: nothing is said or offered by it.
    expect(document.querySelector('dl')?.textContent).not.toContain('–')
    expect(view.queryByRole('button', { name: 'Retire' })).toBeNull()
    expect(document.querySelectorAll('.detail-head .bp6-tag')).toHaveLength(0)
    const tab = view.getByText('Dee')
    await act(async () => answer())
    expect(await view.findByRole('button', { name: 'Retire' })).toBeTruthy()
    expect(view.getByText('4 June 2026')).toBeTruthy()
    expect(view.getByText('Dee')).toBe(tab)
  })

  it('says nothing of being active beside a state, such as closed, but says that it is retired', async () => {
    const tags = () => [...document.querySelectorAll('.bp6-tag')].map((tag) => tag.textContent)
    fakeServer.use({ ...handlers, 'GET /boat/7/': { data: { ...ann, state: 'Closed' } } })
    const { unmount } = await open(screens, '/boats/7/fleet')
    await view.findByText('Leaking')
    expect(tags()).toEqual(['Leaking'])
    unmount()
    fakeServer.use({ ...handlers, 'GET /boat/7/': { data: { ...ann, state: 'Closed', status: 2 } } })
    await open(screens, '/boats/7/fleet')
    await view.findByText('Leaking')
    expect(tags()).toHaveLength(2)
  })

  it('sets the breadcrumbs', async () => {
    const more = [{ path: '/harbours/:id', element: 'harbour' }]
    await open(screens, '/boats/7/fleet', { more })
    await view.findByRole('heading', { level: 1 })
    const { container } = await open({}, '/way', { more: [{ path: '/way', element: <Crumbs /> }] })
    expect(within(container).getByRole('navigation').textContent).toBe(
      'Hull>/harbours/3 | Boat 7: Ann>/boats/7',
    )
  })

  it('renders its tabs as links and marks the current one', async () => {
    const { address } = await open(screens, '/boats/7/fleet')
    const tabs = within(await view.findByRole('navigation', { name: 'Boat 7: Ann' }))
    expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe('Fleet')
    await userEvent.click(tabs.getByRole('link', { name: 'Log' }))
    expect(address()).toBe('/boats/7/log')
    expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe('Log')
    await waitFor(() => expect(document.title).toBe('Log – Boat 7: Ann'))
  })

  it('offers only the tabs and actions for the user’s role and the record', async () => {
    fakeServer.use({ 'GET /boat/7/': { data: { ...ann, status: 2 } } })
    await open(screens, '/boats/7/fleet', { person: person([2]) })
    const tabs = within(await view.findByRole('navigation', { name: 'Boat 7: Ann' }))
    expect(tabs.getAllByRole('link').map((l) => l.textContent)).toEqual(['Fleet'])
    expect(view.queryByRole('button', { name: 'Retire' })).toBeNull()
  })

  it('keeps rare actions in a menu, which the keyboard opens, walks and leaves', async () => {
    const [retire] = BOAT.actions
    const actions = [
      { label: 'Sail', to: '/boats/{id}/fleet', primary: true },
      { ...retire, rare: true },
      { label: 'Print', print: true, rare: true },
    ]
    await open({ ...screens, boat: { ...BOAT, actions } }, '/boats/7/fleet')
    const more = await view.findByRole('button', { name: 'More actions' })
    expect(view.getByRole('link', { name: 'Sail' }).className).toContain('intent-primary')
    expect(view.queryByRole('menuitem', { name: 'Retire' })).toBeNull()
    more.focus()
    await userEvent.keyboard('{ArrowDown}')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Retire'))
    await userEvent.keyboard('{ArrowDown}')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Print'))
    await userEvent.keyboard('{Escape}')
    expect(document.activeElement).toBe(more)
    expect(more.getAttribute('aria-expanded')).toBe('false')
    await userEvent.keyboard('{ArrowUp}')
    expect(document.activeElement?.textContent).toBe('Print')
    await userEvent.keyboard('r')
    expect(document.activeElement?.textContent).toBe('Retire')
    await userEvent.click(document.body)
    expect(view.queryByRole('menuitem', { name: 'Retire' })).toBeNull()
  })

  it('asks before an action only where its condition holds', async () => {
    fakeServer.use({ ...handlers, 'GET /boat/7/retire/': { data: { id: 7 } } })
    const asking = (length: number) => [
      {
        ...BOAT.actions[0],
        confirm: 'Ashore with {name}?',
        confirmWhen: { 'record.length': { min: length } },
      },
    ]
    fakeServer.use({ 'GET /boat/7/': { data: { ...ann, length: 4 } } })
    const { unmount } = await open({ ...screens, boat: { ...BOAT, actions: asking(3) } }, '/boats/7/fleet')
    await userEvent.click(await view.findByRole('button', { name: 'Retire' }))
    expect(await view.findByText('Ashore with Ann?')).toBeTruthy()
    expect(fakeServer.requestsTo('GET /boat/7/retire/')).toEqual([])
    unmount()
    await open({ ...screens, boat: { ...BOAT, actions: asking(5) } }, '/boats/7/fleet')
    await userEvent.click(await view.findByRole('button', { name: 'Retire' }))
    await waitFor(() => expect(fakeServer.requestsTo('GET /boat/7/retire/')).toHaveLength(1))
  })

  it('counts on its tabs, and shows cards beside: values, people with a telephone, first rows of a list', async () => {
    const fields = [
      { name: 'captain', label: 'Captain', type: 'contact' },
      { name: 'mate', label: 'Mate', type: 'contact' },
      {
        name: 'crew',
        label: 'Crew',
        type: 'repeat',
        fields: [
          { name: 'name', label: 'Name', type: 'text' },
          { name: 'tel', label: 'Telephone', type: 'phone' },
        ],
      },
    ]
    const answers = {
      captain: { name: 'Ada', phone: '01632 960001', role: 'Skipper' },
      mate: { name: 'Bo' },
      crew: [
        { row: 'a', name: 'Cy', tel: '01632 960002' },
        { row: 'b', name: 'Di' },
      ],
    }
    fakeServer.use({ ...handlers, 'GET /boat/7/': { data: { ...ann, length: 4, answers, fields } } })
    const aside = [
      { title: 'Built', fields: ['built', 'crew'] },
      { title: 'People', people: [{ from: 'record.fields', at: 'answers' }] },
      { title: 'Latest', list: 'boats.of', rows: 1, columns: ['name'], screen: 'boat-fleet' },
      { title: 'Nothing', fields: ['crew'] },
    ]
    const counts = { 'boat-fleet': 'length' }
    await open({ ...screens, boat: { ...BOAT, aside, counts } }, '/boats/7/log')
    expect(await view.findByRole('link', { name: 'Fleet 4' })).toBeTruthy()
    const card = async (name: string) => (await view.findByRole('region', { name })).textContent
    expect(await card('Built')).toBe('Built4 June 2026')
    expect(await card('People')).toBe('PeopleAdaCaptain, Skipper01632 960001CyCrew01632 960002')
    expect(view.getByRole('link', { name: '01632 960001' }).getAttribute('href')).toBe('tel:01632960001')
    expect(await card('Latest')).toBe('LatestFleetDee')
    expect(fakeServer.requestsTo('GET /harbour/7/boats/').map(({ query }) => query)).toContainEqual(
      expect.objectContaining({ page_size: 1 }),
    )
    expect(view.queryByRole('region', { name: 'Nothing' })).toBeNull()
  })

  it('says in the cards beside it what could not be read, and reads it again', async () => {
    const rows = page([{ id: 1, name: 'Dee' }])
    fakeServer.use({
      ...handlers,
      'GET /boat/7/': { data: { ...ann, answers: {}, fields: [] } },
      'GET /harbour/7/boats/': { status: 500 },
      'GET /boat/1/': { status: 500 },
    })
    const aside = [
      { title: 'Latest', list: 'boats.of', columns: ['name'] },
      {
        title: 'People',
        people: [{ from: 'record.fields', at: 'answers' }],
        with: { mate: { read: 'boats.read', id: 'record.status' } },
      },
    ]
    await open({ ...screens, boat: { ...BOAT, aside } }, '/boats/7/log')
    const latest = within(await view.findByRole('region', { name: 'Latest' }))
    expect(latest.getByRole('alert').textContent).toContain('Latest could not be read.')
    const people = within(await view.findByRole('region', { name: 'People' }))
    expect(people.getByRole('alert').textContent).toContain('People could not be read.')
    fakeServer.use({ 'GET /harbour/7/boats/': rows, 'GET /boat/1/': { data: { id: 1 } } })
    await userEvent.click(latest.getByRole('button', { name: 'Retry' }))
    expect(await view.findByText('Dee')).toBeTruthy()
    await userEvent.click(people.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(view.queryByRole('region', { name: 'People' })).toBeNull())
  })

  it('is done with a step in a card beside it, and plans one where there is none', async () => {
    let length: number | null = 4
    fakeServer.use({
      ...handlers,
      'GET /boat/7/': () => ({ data: { ...ann, length } }),
      'POST /boat/4/sell/': () => {
        length = null
        return { data: {} }
      },
    })
    const tick = { label: 'Done', call: 'boats.sell', params: { id: 'length' }, done: 'Done: {length}' }
    const sell = { label: 'Sell', call: 'boats.sell', form: 'sell' }
    const aside = [
      {
        title: 'Step',
        fields: [{ field: 'length', tick, empty: { ...sell, label: 'Plan' } }],
        actions: [{ ...sell, when: { 'record.length': { set: true } } }],
      },
      { title: 'Other', fields: [{ field: 'crew', empty: { ...sell, when: { 'record.status': 9 } } }] },
    ]
    const { notices } = await open({ ...screens, boat: { ...BOAT, aside } }, '/boats/7/log')
    const card = within(await view.findByRole('region', { name: 'Step' }))
    expect(card.getByRole('button', { name: 'Sell' })).toBeTruthy()
    await userEvent.click(card.getByRole('button', { name: 'Done: 4' }))
    expect(await card.findByRole('button', { name: 'Plan' })).toBeTruthy()
    expect(notices.map((n) => n.text)).toEqual(['Done: 4'])
    expect(card.queryByRole('button', { name: 'Sell' })).toBeNull()
    expect(view.queryByRole('region', { name: 'Other' })).toBeNull()
  })

  it('is read again after an action', async () => {
    let status = 1
    fakeServer.use({
      'GET /boat/7/': () => ({ data: { ...ann, status } }),
      'GET /boat/7/retire/': () => {
        status = 2
        return { data: { id: 7 } }
      },
    })
    const { notices } = await open(screens, '/boats/7/fleet')
    await userEvent.click(await view.findByRole('button', { name: 'Retire' }))
    expect(await view.findByText('Ashore')).toBeTruthy()
    expect(notices.map((n) => n.text)).toEqual(['Ann is ashore'])
    expect(view.queryByRole('button', { name: 'Retire' })).toBeNull()
  })

  it('makes the call of an opened record once, and only where its condition holds', async () => {
    const opened = { call: 'boats.sell', id: 'record.harbour', when: { 'record.status': 1 } }
    fakeServer.use({
      'POST /boat/3/sell/': { data: { id: 3 } },
      'GET /boat/8/': { data: { ...ann, id: 8, status: 2 } },
      'GET /harbour/8/boats/': page([]),
    })
    const { router } = await open({ ...screens, boat: { ...BOAT, opened } }, '/boats/7/fleet')
    await view.findByText('Dee')
    await router.navigate('/boats/7/log')
    await router.navigate('/boats/8/fleet')
    await view.findByRole('heading', { level: 1, name: 'Boat 8: Ann' })
    expect(fakeServer.requestsTo('POST /boat/3/sell/')).toHaveLength(1)
  })

  it('says nothing where that call fails', async () => {
    fakeServer.use({ 'POST /boat/3/sell/': { status: 500, data: {} } })
    const opened = { call: 'boats.sell', id: 'record.harbour' }
    const { notices } = await open({ ...screens, boat: { ...BOAT, opened } }, '/boats/7/fleet')
    await view.findByText('Dee')
    await waitFor(() => expect(fakeServer.requestsTo('POST /boat/3/sell/')).toHaveLength(1))
    expect(notices).toEqual([])
  })

  it('shows nothing of the record before it', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    fakeServer.use({
      'GET /boat/8/': async () => {
        await released
        return { data: { ...ann, id: 8, name: 'Bob' } }
      },
      'GET /harbour/8/boats/': page([]),
    })
    const { router } = await open(screens, '/boats/7/fleet')
    await view.findByText('Dee')
    await router.navigate('/boats/8/fleet')
    await waitFor(() => expect(view.queryByText(/Ann|Dee/)).toBeNull())
    release()
    expect(await view.findByRole('heading', { level: 1, name: 'Boat 8: Bob' })).toBeTruthy()
  })
})

describe('a record that a job works on', () => {
  it('is read again as soon as the job has come to its next state', async () => {
    let state = 'scraping'
    fakeServer.use({
      'GET /boat/7/': () => ({ data: { ...ann, state } }),
      'GET /boat/7/progress/': () => ({ data: { total: 2, done: 1, rate: null, seconds_left: null, state } }),
    })
    const progress = { read: 'boats.progress', when: { 'record.status': 1 } }
    const contract = {
      ...boats,
      endpoints: {
        ...boats.endpoints,
        'boats.progress': { call: 'GET /boat/{id}/progress/', does: 'read boat', roles: 'staff' },
      },
    } as typeof boats
    // What is read anew every five seconds is too late for this.
    await open({ ...screens, boat: { ...BOAT, title: '{state}', progress } }, '/boats/7/fleet', { contract })
    await view.findByText('1 of 2')
    state = 'painting'
    expect(await view.findByRole('heading', { level: 1, name: 'painting' })).toBeTruthy()
  })
})

describe('a record that cannot be read', () => {
  it('shows that it does not exist, with a way back', async () => {
    fakeServer.use({ 'GET /boat/7/': { status: 404 } })
    const { address } = await open(screens, '/boats/7/fleet')
    expect(
      await view.findByRole('heading', { level: 1, name: 'There is no such boat, or you may not see it' }),
    ).toBeTruthy()
    await userEvent.click(view.getByRole('button', { name: 'Go back' }))
    await waitFor(() => expect(address()).toBe('/'))
  })

  it('shows that the user may not see it', async () => {
    fakeServer.use({ 'GET /boat/7/': { status: 403 } })
    await open(screens, '/boats/7/fleet')
    expect(await view.findByRole('heading', { level: 1, name: 'You may not see this boat' })).toBeTruthy()
  })

  it('can be retried after a lost connection', async () => {
    let down = true
    fakeServer.use({ 'GET /boat/7/': () => (down ? { status: 0 } : { data: ann }) })
    await open(screens, '/boats/7/fleet')
    expect(await view.findByRole('heading', { name: 'This cannot be opened now' })).toBeTruthy()
    down = false
    await userEvent.click(view.getByRole('button', { name: 'Retry' }))
    expect(await view.findByRole('heading', { level: 1, name: 'Boat 7: Ann' })).toBeTruthy()
  })
})

describe('a screen', () => {
  it('that does not exist shows an error', async () => {
    await open({}, '/x', { more: [{ path: '/x', element: <Screen name="nope" /> }] })
    expect(view.getByRole('alert').textContent).toBe("There is no screen 'nope'")
  })

  it('that fails to render shows an error with Retry', async () => {
    fakeServer.use({ 'GET /boats/': { data: 'no list' }, 'GET /harbours/': { data: [] } })
    await open({ x: { ...FLEET, route: '/x', source: 'boats.list' } }, '/x')
    expect((await view.findByRole('alert')).textContent).toContain('Fleet could not be shown')
    expect(view.getByRole('button', { name: 'Retry' })).toBeTruthy()
  })
})
