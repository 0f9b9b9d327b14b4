import { act, cleanup, screen as view, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { useBreadcrumbs } from '../../src/engine/core/breadcrumbs.ts'
import { resultsText } from '../../src/engine/core/results.ts'
import { around } from '../../src/engine/kinds/list/Pages.tsx'
import { Screen } from '../../src/engine/Screen.tsx'
import { contract } from './boats.ts'
import { fakeServer, page } from './fakeServer.ts'
import { open } from './open.tsx'

const LIST = {
  route: '/boats',
  kind: 'list',
  title: 'Boats',
  source: 'boats.list',
  remember: 'boats',
  empty: 'No boats yet.',
  columns: [
    { field: 'name', link: '/boats/{id}', sort: true },
    { field: 'built', sort: true },
    'length',
    { field: 'status', as: 'tag' },
  ],
}
const ann = { id: 7, name: 'Ann', built: '2026-06-04', length: 12, status: 1 }
const bob = { id: 8, name: 'Bob', built: null, length: 9, status: 2 }
const harbours = [
  { value: 3, label: 'Hull' },
  { value: 4, label: 'Deal' },
]
const handlers = {
  'GET /boats/': page([ann, bob], { count: 57, num_pages: 6 }),
  'GET /harbours/': { data: harbours },
}
const Crumbs = () =>
  useBreadcrumbs()
    .map(({ label, to }) => `${label} ${to}`)
    .join(', ')
const last = <T,>(list: T[]) => list.at(-1)!
const lists = () => fakeServer.requestsTo('GET /boats/').map(({ query }) => query)

beforeEach(() => fakeServer.use(handlers))

describe('a list', () => {
  it('renders a table with a caption, headings, links and a count of results', async () => {
    await open({ boats: LIST }, '/boats')
    const table = await view.findByRole('table', { name: 'Boats' })
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((h) => h.textContent),
    ).toEqual(['Name', 'Built', 'Length', 'Status'])
    expect(within(table).getByRole('link', { name: 'Ann' }).getAttribute('href')).toBe('/boats/7')
    expect(within(table).getByRole('row', { name: /Ann/ }).textContent).toBe('Ann4 June 202612Afloat')
    expect(view.getByText('Showing 1 to 2 of 57')).toBeTruthy()
    expect(view.getByRole('heading', { level: 1, name: 'Boats' })).toBeTruthy()
    expect(document.title).toBe('Boats')
  })

  it('keeps the order of rows that come keyed by id', async () => {
    const { data } = page([ann, bob], { count: 2 })
    fakeServer.use({ 'GET /boats/': { data: { ...data, data: { 7: ann, 8: bob }, order: [8, 7] } } })
    await open({ boats: LIST }, '/boats')
    const links = within(await view.findByRole('table')).getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)).toEqual(['Bob', 'Ann'])
  })

  it('begins with the page size of its call', async () => {
    const { endpoints } = contract
    const fifty = { ...endpoints, 'boats.list': { ...endpoints['boats.list'], pageSize: 50 } }
    await open({ boats: LIST }, '/boats', { contract: { ...contract, endpoints: fifty } })
    await view.findByRole('table')
    expect(lists()).toEqual([{ p: 1, page_size: 50 }])
  })

  it('renders a toolbar that can use its parent record', async () => {
    fakeServer.use({
      'GET /harbour/3/boats/': page([ann]),
      'GET /boat/3/': { data: { id: 3, name: 'Hull', status: 1 } },
    })
    const toolbar = [
      { label: 'Find', to: '/find?name={name}' },
      { label: 'Ashore', to: '/ashore', when: { 'record.status': 2 } },
    ]
    const screen = { ...LIST, route: '/harbours/{id}', source: 'boats.of', read: 'boats.read', toolbar }
    await open({ boats: screen }, '/harbours/3')
    expect((await view.findByRole('link', { name: 'Find' })).getAttribute('href')).toBe('/find?name=Hull')
    expect(view.queryByRole('link', { name: 'Ashore' })).toBeNull()
  })

  it('is titled by its parent record, and sets breadcrumbs below it', async () => {
    const fleet = {
      ...LIST,
      route: '/harbours/{id}',
      title: 'Boats: {name}',
      source: 'boats.of',
      read: 'boats.read',
      parent: [{ label: 'Harbours', to: '/harbours' }],
    }
    fakeServer.use({
      'GET /harbour/3/boats/': page([ann]),
      'GET /boat/3/': { data: { id: 3, name: 'Hull' } },
    })
    const { unmount } = await open({ fleet }, '/harbours/3', {
      more: [{ path: '/crumbs', element: <Crumbs /> }],
    })
    expect(await view.findByRole('heading', { level: 1, name: 'Boats: Hull' })).toBeTruthy()
    expect(document.title).toBe('Boats: Hull')
    unmount()
    await open({}, '/crumbs', { more: [{ path: '/crumbs', element: <Crumbs /> }] })
    expect(view.getByText('Harbours /harbours, Boats: Hull /harbours/3')).toBeTruthy()
    cleanup()
    fakeServer.use({ 'GET /harbour/3/boats/': page([]), 'GET /boat/3/': { status: 404 } })
    await open({ fleet }, '/harbours/3')
    expect(await view.findByRole('heading', { name: /^There is no such boat/ })).toBeTruthy()
  })

  it('requests the first ten rows', async () => {
    await open({ boats: LIST }, '/boats')
    await view.findByRole('table')
    expect(lists()).toEqual([{ p: 1, page_size: 10 }])
  })

  it('fills the path of the call from its address', async () => {
    fakeServer.use({ 'GET /harbour/3/boats/': page([ann]) })
    await open(
      { boats: { ...LIST, route: '/harbours/{id}', title: 'Boats of {id}', source: 'boats.of' } },
      '/harbours/3',
    )
    await view.findByRole('table', { name: 'Boats of 3' })
    expect(fakeServer.requests[0].path).toBe('/harbour/3/boats/')
  })

  it('groups rows that share a value, while they are sorted by it', async () => {
    const rows = [
      { ...ann, harbour_label: 'Hull' },
      { ...bob, harbour_label: 'Hull' },
      { ...ann, id: 9, name: 'Cid', harbour_label: 'Deal' },
    ]
    fakeServer.use({ 'GET /boats/': page(rows) })
    await open({ boats: { ...LIST, group: 'harbour_label' } }, '/boats')
    await view.findByRole('table')
    const heads = [...document.querySelectorAll('.list-group')].map((g) => g.textContent)
    expect(heads).toEqual(['Hull', 'Deal'])
    expect(last(lists())).toMatchObject({ order_by: 'harbour_label', sort_order: 'asc' })
    await userEvent.click(view.getByRole('button', { name: 'Built' }))
    await waitFor(() => expect(last(lists()).order_by).toBe('built'))
    await waitFor(() => expect(document.querySelector('.list-group')).toBeNull())
  })

  it('shows its empty text', async () => {
    fakeServer.use({ 'GET /boats/': page([]) })
    await open({ boats: LIST }, '/boats')
    expect(await view.findByText('No boats yet.')).toBeTruthy()
  })

  it('says that no row matches the filters, and clears them', async () => {
    fakeServer.use({
      'GET /boats/': ({ query }) => page(query.name ? [] : [ann]),
    })
    const { address } = await open({ boats: LIST }, '/boats?name=zz')
    await view.findByText('Nothing matches these filters')
    await userEvent.click(view.getAllByRole('button', { name: 'Clear filters' })[1])
    expect(await view.findByRole('link', { name: 'Ann' })).toBeTruthy()
    expect(address()).toBe('/boats')
    expect(last(lists())).toEqual({ p: 1, page_size: 10 })
  })

  it('shows an error inside the page, and retries', async () => {
    let broken = true
    fakeServer.use({ 'GET /boats/': () => (broken ? { status: 500 } : page([ann])) })
    await open({ boats: LIST }, '/boats')
    expect((await view.findByRole('alert')).textContent).toContain('This could not be shown')
    expect(view.getByRole('heading', { name: 'Boats' })).toBeTruthy()
    broken = false
    await userEvent.click(view.getByRole('button', { name: 'Retry' }))
    expect(await view.findByRole('link', { name: 'Ann' })).toBeTruthy()
  })

  it('shows Loading only after a delay, and keeps the rows while the next page loads', async () => {
    let release = () => {}
    fakeServer.use({
      'GET /boats/': async ({ query }) => {
        await new Promise<void>((resolve) => {
          release = resolve
        })
        return page([query.p === 1 ? ann : bob], { p: query.p, num_pages: 6, count: 57 })
      },
    })
    await open({ boats: LIST }, '/boats')
    expect(view.queryByText('Loading')).toBeNull()
    await view.findByText('Loading')
    release()
    await view.findByRole('link', { name: 'Ann' })
    await userEvent.click(view.getByRole('link', { name: 'Next' }))
    expect(view.getByRole('link', { name: 'Ann' })).toBeTruthy()
    await waitFor(() => expect(document.querySelector('.list-stale')).not.toBeNull())
    release()
    expect(await view.findByRole('link', { name: 'Bob' })).toBeTruthy()
  })
})

describe('the address bar', () => {
  it('holds page, size, order and filters, and the call gets them under its own names', async () => {
    await open(
      { boats: LIST },
      '/boats?page=3&size=20&sort=-built&harbour=4&since=2026-01-31&leaking=true&name=An',
    )
    await view.findByRole('table')
    expect(last(lists())).toEqual({
      p: 3,
      page_size: 20,
      order_by: 'built',
      sort_order: 'desc',
      name: 'An',
      harbour: 4,
      since: '2026-01-31',
      leaking: true,
    })
  })

  it('is ignored where it is invalid', async () => {
    await open(
      { boats: LIST },
      '/boats?page=-1&size=7&sort=length&harbour=x&since=2026-02-31&leaking=no&foo=1',
    )
    await view.findByRole('table')
    expect(last(lists())).toEqual({ p: 1, page_size: 10 })
  })

  it('follows sorting, which toggles direction and returns to the first page', async () => {
    const { address } = await open({ boats: LIST }, '/boats?page=2')
    await view.findByRole('table')
    await userEvent.click(view.getByRole('button', { name: 'Built' }))
    expect(address()).toBe('/boats?sort=built')
    await waitFor(() => expect(last(lists())).toMatchObject({ p: 1, order_by: 'built', sort_order: 'asc' }))
    const head = () => view.getByRole('columnheader', { name: 'Built' })
    expect(head().getAttribute('aria-sort')).toBe('ascending')
    await userEvent.click(view.getByRole('button', { name: 'Built' }))
    expect(address()).toBe('/boats?sort=-built')
    expect(head().getAttribute('aria-sort')).toBe('descending')
    expect(view.queryByRole('button', { name: 'Length' })).toBeNull()
  })

  it('follows pages', async () => {
    const { address } = await open({ boats: LIST }, '/boats')
    await view.findByRole('table')
    const nav = view.getByRole('navigation', { name: 'Pages' })
    expect(within(nav).getByRole('link', { current: 'page' }).textContent).toBe('1')
    await userEvent.click(within(nav).getByRole('link', { name: 'Next' }))
    expect(address()).toBe('/boats?page=2')
    await waitFor(() => expect(last(lists()).p).toBe(2))
  })

  it('returns to the first page from a page that is gone', async () => {
    fakeServer.use({
      'GET /boats/': ({ query }) => page(query.p === 2 ? [] : [ann], { p: query.p, count: 1 }),
    })
    const { address } = await open({ boats: LIST }, '/boats?page=2')
    await view.findByRole('link', { name: 'Ann' })
    expect(address()).toBe('/boats')
  })
})

describe('the page size', () => {
  it('is remembered under the list’s name', async () => {
    const first = await open({ boats: LIST }, '/boats?page=2')
    await view.findByRole('table')
    await userEvent.selectOptions(view.getByLabelText('Rows on a page'), '50')
    await waitFor(() => expect(last(lists())).toEqual({ p: 1, page_size: 50 }))
    expect(localStorage.getItem('pageSize.boats')).toBe('50')
    first.unmount()
    await open({ boats: LIST }, '/boats')
    await view.findByRole('table')
    expect(last(lists())).toEqual({ p: 1, page_size: 50 })
  })

  it('of the address wins, and an invalid remembered one is ignored', async () => {
    localStorage.setItem('pageSize.boats', '12')
    await open({ boats: LIST }, '/boats?size=20')
    await view.findByRole('table')
    expect(last(lists()).page_size).toBe(20)
  })
})

describe('filters', () => {
  const openFilters = () => userEvent.click(view.getByRole('button', { name: 'Filters' }))

  it('apply by the button, show as tags and are removed one by one', async () => {
    const { address } = await open({ boats: LIST }, '/boats?page=4')
    await view.findByRole('table')
    expect(view.queryByRole('form', { name: 'Filters' })).toBeNull()
    await openFilters()
    const form = within(view.getByRole('form', { name: 'Filters' }))
    await userEvent.type(form.getByLabelText('Name'), ' An ')
    await userEvent.selectOptions(form.getByLabelText('Harbour'), 'Deal')
    await userEvent.click(form.getByLabelText('Leaking only'))
    expect(lists()).toHaveLength(1)
    await userEvent.click(form.getByRole('button', { name: 'Apply filters' }))
    expect(address()).toBe('/boats?name=An&harbour=4&leaking=true')
    await waitFor(() =>
      expect(last(lists())).toEqual({ p: 1, page_size: 10, name: 'An', harbour: 4, leaking: true }),
    )
    const tags = view.getByRole('list', { name: 'Filtered by' })
    expect(
      within(tags)
        .getAllByRole('button')
        .map((b) => b.textContent),
    ).toEqual(['Name: An', 'Harbour: Deal', 'Leaking only', 'Clear filters'])
    await userEvent.click(within(tags).getByRole('button', { name: /^Harbour: Deal/ }))
    expect(address()).toBe('/boats?name=An&leaking=true')
    await waitFor(() => expect((form.getByLabelText('Harbour') as HTMLSelectElement).value).toBe(''))
  })

  it('begin with the defaults of the screen, until they are changed', async () => {
    const { address } = await open({ boats: { ...LIST, defaults: { harbour: '3,4' } } }, '/boats')
    await view.findByRole('table')
    expect(last(lists()).harbour).toEqual([3, 4])
    await openFilters()
    const box = () => view.getByLabelText('Harbour') as HTMLSelectElement
    await waitFor(() => expect(box().selectedOptions[0].textContent).toBe('Hull, Deal'))
    await userEvent.click(view.getByRole('button', { name: /^Harbour: Hull, Deal, remove/ }))
    expect(address()).toBe('/boats?harbour=')
    await waitFor(() => expect(last(lists())).not.toHaveProperty('harbour'))
    await userEvent.selectOptions(box(), 'Deal')
    await userEvent.click(view.getByRole('button', { name: 'Apply filters' }))
    expect(address()).toBe('/boats?harbour=4')
    await userEvent.selectOptions(box(), 'Hull, Deal')
    await userEvent.click(view.getByRole('button', { name: 'Apply filters' }))
    expect(address()).toBe('/boats')
  })

  it('are those that the screen names', async () => {
    await open({ boats: { ...LIST, filters: ['since'] } }, '/boats')
    await view.findByRole('table')
    await openFilters()
    const form = view.getByRole('form', { name: 'Filters' })
    expect([...form.querySelectorAll('input, select')].map((i) => i.getAttribute('type'))).toEqual(['date'])
  })

  it('are not rendered for a call without filters', async () => {
    fakeServer.use({ 'GET /harbour/3/boats/': page([ann]) })
    await open({ boats: { ...LIST, route: '/harbours/{id}', source: 'boats.of' } }, '/harbours/3')
    await view.findByRole('table')
    expect(view.queryByRole('button', { name: 'Filters' })).toBeNull()
  })
})

describe('keys', () => {
  it('j and k move among the rows, / goes to the filters, and none works in a field', async () => {
    await open({ boats: LIST }, '/boats')
    await view.findByRole('table')
    await userEvent.keyboard('jj')
    expect(document.activeElement?.textContent).toBe('Bob')
    await userEvent.keyboard('k')
    expect(document.activeElement?.textContent).toBe('Ann')
    await userEvent.keyboard('/')
    await waitFor(() => expect(document.activeElement).toBe(view.getByLabelText('Name')))
    await userEvent.keyboard('j/')
    expect((document.activeElement as HTMLInputElement).value).toBe('j/')
  })

  it('act in the list with the focus, else in the first one of the page', async () => {
    fakeServer.use({ 'GET /harbour/3/boats/': page([{ ...ann, name: 'Cid' }]) })
    const other = { ...LIST, route: '/others', source: 'boats.of', fixedParams: { id: 3 } }
    const others = { ...other, selection: [{ label: 'Retire', call: 'boats.retire' }] }
    await open({ boats: LIST, others }, '/boats', { beside: <Screen name="others" /> })
    await view.findByRole('link', { name: 'Ann' })
    await view.findByRole('link', { name: 'Cid' })
    await userEvent.keyboard('j')
    expect(document.activeElement?.textContent).toBe('Ann')
    await userEvent.keyboard('jj')
    expect(document.activeElement?.textContent).toBe('Bob')
    act(() => view.getByRole('link', { name: 'Cid' }).focus())
    await userEvent.keyboard('x')
    expect(view.getByRole<HTMLInputElement>('checkbox', { name: 'Select Cid 7' }).checked).toBe(true)
    await userEvent.keyboard('j')
    expect(document.activeElement?.textContent).toBe('Cid')
  })

  it('do nothing when single-key shortcuts are off', async () => {
    localStorage.setItem('singleKeys', 'off')
    await open({ boats: LIST }, '/boats')
    await view.findByRole('table')
    await userEvent.keyboard('j')
    expect(document.activeElement).toBe(document.body)
  })
})

it('formats the count of results', () => {
  const pages = { p: 2, page_size: 10, count: 57, num_pages: 6 }
  expect(resultsText(pages, 10)).toBe('Showing 11 to 20 of 57')
  expect(resultsText({ ...pages, p: 1, count: 10_000, more: true }, 10)).toBe('Showing 1 to 10 of 10,000+')
  const counted = { row: 'row', rows: 'rows', key: 'issues', one: 'issue', many: 'issues' }
  expect(resultsText(pages, 10, counted)).toBe('Showing 11 to 20 of 57 rows')
  expect(resultsText({ ...pages, p: 1, count: 1 }, 1, counted)).toBe('Showing 1 to 1 of 1 row')
  expect(resultsText({ ...pages, p: 1, count: 0 }, 0)).toBe('No results')
})

it('lists the page numbers around the current one', () => {
  expect(around(1, 1)).toEqual([1])
  expect(around(1, 6)).toEqual([1, 2, -2, 6])
  expect(around(5, 9)).toEqual([1, -1, 4, 5, 6, -6, 9])
})

describe('rows that open', () => {
  const opens = {
    label: 'Neighbours of {name}',
    list: 'boats.of',
    params: { id: 'harbour' },
    rows: 2,
    order: 'longest first',
    columns: ['name', 'length'],
    links: [{ label: 'All at {harbour}', to: '/harbours/{harbour}' }],
  }
  const moored = { ...ann, harbour: 3 }
  const expand = () => view.findByRole('button', { name: 'Neighbours of Ann' })

  it('show the first rows of their list and the way to all of them, until they are closed', async () => {
    fakeServer.use({
      'GET /boats/': page([moored, { ...bob, harbour: 4 }]),
      'GET /harbour/3/boats/': page([bob, ann], { count: 9 }),
    })
    await open({ boats: { ...LIST, opens } }, '/boats')
    await userEvent.click(await expand())
    const table = await view.findByRole('table', { name: 'Neighbours of Ann' })
    expect(within(table).getByRole('row', { name: /Bob/ })).toBeTruthy()
    expect(view.getByText('2 of 9, longest first')).toBeTruthy()
    expect(view.getByRole('link', { name: 'All at 3' }).getAttribute('href')).toBe('/harbours/3')
    expect(last(fakeServer.requestsTo('GET /harbour/3/boats/')).query).toEqual({ page_size: 2 })
    await userEvent.click(await expand())
    expect(view.queryByRole('table', { name: 'Neighbours of Ann' })).toBeNull()
  })

  it('open and close by the arrow keys, and j goes on to the next row of the list', async () => {
    fakeServer.use({
      'GET /boats/': page([moored, { ...bob, harbour: 4 }]),
      'GET /harbour/3/boats/': page([bob]),
    })
    await open({ boats: { ...LIST, opens } }, '/boats')
    await expand()
    await userEvent.keyboard('j{ArrowRight}')
    await view.findByRole('table', { name: 'Neighbours of Ann' })
    await userEvent.keyboard('j')
    expect(document.activeElement?.getAttribute('href')).toBe('/boats/8')
    await userEvent.keyboard('k{ArrowLeft}')
    expect((await expand()).getAttribute('aria-expanded')).toBe('false')
  })
})

describe('what needs the reader', () => {
  const need = (id: number) => ({
    id: `need ${id}`,
    kind: 'Late',
    level: 'danger',
    name: `Boat ${id}`,
    text: ' is not back.',
    page: `/boats/${id}`,
    button: 'Radio',
    to: `/radio/${id}`,
  })
  const needs = { title: 'Needs you', list: 'boats.read' }
  const { endpoints } = contract
  const withNeeds = {
    ...contract,
    endpoints: { ...endpoints, 'boats.read': { ...endpoints['boats.read'], call: 'GET /needs/' } },
  }
  const shown = (lines: unknown[]) => {
    fakeServer.use({ 'GET /needs/': page(lines as (typeof ann)[]) })
    return open({ boats: { ...LIST, needs } }, '/boats', { contract: withNeeds })
  }

  it('stands above the rows, a line and a button each, the first six before the others', async () => {
    await shown(Array.from({ length: 8 }, (_, i) => need(i + 1)))
    const region = await view.findByRole('region', { name: 'Needs you' })
    const [line, ...others] = within(region).getAllByRole('listitem')
    expect([line.textContent, others.length]).toEqual(['LateBoat 1 is not back.Radio', 5])
    expect(within(line).getByRole('link', { name: 'Boat 1' }).getAttribute('href')).toBe('/boats/1')
    expect(within(line).getByRole('link', { name: 'Radio: Boat 1' }).getAttribute('href')).toBe('/radio/1')
    await userEvent.click(within(region).getByRole('button', { name: 'Show 2 more' }))
    expect(within(region).getAllByRole('listitem')).toHaveLength(8)
  })

  it('is not there if there is nothing', async () => {
    await shown([])
    await view.findByRole('table', { name: 'Boats' })
    await waitFor(() => expect(fakeServer.requestsTo('GET /needs/')).toHaveLength(1))
    expect(view.queryByRole('region', { name: 'Needs you' })).toBeNull()
  })
})
