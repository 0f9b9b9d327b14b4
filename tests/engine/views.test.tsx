import { screen as view, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Contract } from '../../src/contract/contract.ts'
import { today } from '../../src/engine/core/today.ts'
import { contract as boats } from './boats.ts'
import { fakeServer, page } from './fakeServer.ts'
import { open, person } from './open.tsx'

const entity = (title: string) => ({ title, type: 'object', properties: {} })
const contract = {
  ...boats,
  entities: { ...boats.entities, savedView: entity('Saved view'), batch: entity('Result') },
  endpoints: {
    ...boats.endpoints,
    'savedViews.list': {
      call: 'GET /views',
      does: 'views.list',
      query: ['ofScreen'],
      reply: 'savedView',
      roles: 'staff',
    },
    'savedViews.create': {
      call: 'POST /views',
      does: 'views.create',
      reply: 'savedView',
      touches: ['savedView'],
      roles: 'staff',
    },
    'savedViews.update': {
      call: 'PATCH /views/{id}',
      does: 'views.update',
      reply: 'savedView',
      touches: ['savedView'],
      roles: 'staff',
    },
    'savedViews.remove': {
      call: 'DELETE /views/{id}',
      does: 'views.remove',
      touches: ['savedView'],
      roles: 'staff',
    },
    'boats.sellSeveral': {
      call: 'POST /boats/sell/',
      does: 'boats.sellSeveral',
      body: 'sellSeveral',
      reply: 'batch',
      touches: ['boat'],
      roles: 'staff',
    },
  },
  query: {
    ...boats.query,
    ofScreen: { screen: { type: 'string' } },
    boats: {
      ...boats.query.boats,
      owner: { title: 'Owner', type: 'integer', match: 'equal', lookup: 'people', person: true },
    },
  },
} as unknown as Contract

const LIST = {
  route: '/boats',
  kind: 'list',
  title: 'Boats',
  source: 'boats.list',
  columns: [
    { field: 'name', sort: true },
    'length',
    { field: 'built', sort: true },
    { field: 'leaking', shown: false },
  ],
  selection: [
    {
      label: 'Sell',
      call: 'boats.sellSeveral',
      form: 'sell',
      values: { boats: '{ids}', harbour: '{harbour}' },
      done: '{words}',
    },
  ],
}
const VIEW = {
  id: 3,
  version: 1,
  staff: 7,
  owner_name: 'Ann Smith',
  screen: 'boats',
  name: 'Old ones',
  query: { since: '-7d', owner: 'me', sort: '-built' },
  columns: 'name,leaking',
  shared: 'team',
}
const THEIRS = { ...VIEW, id: 4, staff: 9, owner_name: 'Bob Jones', name: 'Of Bob' }
const rows = [
  { id: 7, name: 'Ann', harbour: 3, length: 12 },
  { id: 8, name: 'Bob', harbour: 3, length: 9 },
  { id: 9, name: 'Cyd', harbour: 3, length: 7 },
]

const show = (at = '/boats', who = person()) => open({ boats: LIST }, at, { contract, person: who })
const headings = async () =>
  within(await view.findByRole('table'))
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent)
    .filter((text) => text !== '')
const lists = () => fakeServer.requestsTo('GET /boats/').map(({ query }) => query)
const press = async (name: string | RegExp) => userEvent.click(await view.findByRole('button', { name }))
const tick = async (name: string) => userEvent.click(await view.findByRole('checkbox', { name }))
const dayBefore = (days: number) =>
  new Date(Date.parse(`${today()}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)

beforeEach(() => {
  localStorage.clear()
  fakeServer.use({
    'GET /boats/': page(rows),
    'GET /harbours/': { data: [] },
    'GET /people/': {
      data: [
        { value: 7, label: 'Ann' },
        { value: 9, label: 'Bob' },
      ],
    },
    'GET /views': page([VIEW, THEIRS]),
  })
})

describe('the columns of a list', () => {
  it('are those of the screen, until somebody chooses others', async () => {
    await show()
    expect(await headings()).toEqual(['Name', 'Length', 'Built'])
    await press('Columns and views')
    await tick('Leaking')
    await tick('Length')
    expect(await headings()).toEqual(['Name', 'Built', 'Leaking'])
  })

  it('keep the first one, by which rows are known', async () => {
    localStorage.setItem('columns.7.boats', 'built')
    await show()
    expect(await headings()).toEqual(['Name', 'Built'])
    await press('Columns and views')
    const box = (await view.findByRole('checkbox', { name: /^Name/ })) as HTMLInputElement
    expect([box.checked, box.disabled]).toEqual([true, true])
    expect(view.queryByRole('button', { name: /^Move Name/ })).toBeNull()
  })

  it('are moved by buttons, which keep the focus and say where the column is now', async () => {
    await show()
    await press('Columns and views')
    await press('Move Built up')
    expect(await headings()).toEqual(['Name', 'Built', 'Length'])
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Built up')
    expect(view.getByText('Built is now column 2 of 3')).toBeTruthy()
    await press('Move Built up')
    expect(await headings()).toEqual(['Name', 'Built', 'Length'])
    expect(view.getByText('Built is already next to the first column')).toBeTruthy()
  })

  it('are remembered for that person and list only, until they are reset', async () => {
    localStorage.setItem('columns.7.boats', 'name,leaking,no_longer_there')
    const { unmount } = await show()
    expect(await headings()).toEqual(['Name', 'Leaking'])
    unmount()
    const other = await show('/boats', person([1], 8))
    expect(await headings()).toEqual(['Name', 'Length', 'Built'])
    other.unmount()
    await show()
    await press('Columns and views')
    await press('Show the usual columns')
    expect(await headings()).toEqual(['Name', 'Length', 'Built'])
    expect(localStorage.getItem('columns.7.boats')).toBeNull()
  })

  it('are those of its Excel file too', async () => {
    localStorage.setItem('columns.7.boats', 'name,leaking')
    fakeServer.use({ 'GET /boats/': ({ query }) => (query.format ? { data: new Blob([]) } : page(rows)) })
    await show()
    await view.findByRole('table')
    await press('Export to Excel')
    await waitFor(() => expect(lists().at(-1)).toMatchObject({ format: 'xlsx', columns: 'name,leaking' }))
    expect(lists().at(-1)).not.toHaveProperty('ids')
  })
})

describe('a saved view', () => {
  it('is opened with its filters, order and columns in the address, and a tag that names it', async () => {
    const { address } = await show('/boats?leaking=true&page=2')
    await press('Columns and views')
    await userEvent.click(await view.findByRole('link', { name: 'Old ones' }))
    expect(Object.fromEntries(new URLSearchParams(address().split('?')[1]))).toEqual({
      since: '-7d',
      owner: 'me',
      sort: '-built',
      columns: 'name,leaking',
      view: '3',
    })
    expect(await headings()).toEqual(['Name', 'Leaking'])
    expect(await view.findByText('Old ones')).toBeTruthy()
    expect(view.getByText('(Yours, shared with the team)')).toBeTruthy()
    // A relative value is sent as its value for today and for the person who looks.
    expect(lists().at(-1)).toMatchObject({
      since: dayBefore(7),
      owner: 7,
      order_by: 'built',
      sort_order: 'desc',
    })
    expect(view.getByRole('button', { name: /^Since|Built since: .* \(7 days before today\)/ })).toBeTruthy()
    expect(await view.findByRole('button', { name: /^Owner: Ann \(me\)/ })).toBeTruthy()
  })

  it('says when it is changed, and leads back and out', async () => {
    const { address } = await show('/boats?since=-7d&owner=me&sort=-built&columns=name,leaking&view=4')
    await view.findByText('Of Bob')
    expect(view.queryByText(/, changed/)).toBeNull()
    await press(/^Owner: .*remove this filter/)
    await view.findByText(/, changed/)
    expect(view.queryByRole('button', { name: 'Save changes' })).toBeNull()
    await press('Undo changes')
    await waitFor(() => expect(view.queryByText(/, changed/)).toBeNull())
    expect(address()).toContain('owner=me')
    await press('Leave this view')
    expect(address()).toBe('/boats')
    expect(await headings()).toEqual(['Name', 'Length', 'Built'])
    expect(view.queryByText('Of Bob')).toBeNull()
  })

  it('is changed by its owner, and what is relative stays so when filters are applied', async () => {
    fakeServer.use({ 'PATCH /views/{id}': ({ body }) => ({ data: { ...VIEW, ...body, version: 2 } }) })
    await show('/boats?since=-7d&owner=me&sort=-built&columns=name,leaking&view=3')
    await view.findByText('Old ones')
    await press('Filters')
    await userEvent.type(view.getByRole('textbox', { name: 'Name' }), 'Ann')
    await press('Apply filters')
    await press('Save changes')
    await waitFor(() => expect(fakeServer.requestsTo('PATCH /views/3')).toHaveLength(1))
    expect(fakeServer.requestsTo('PATCH /views/3')[0].body).toEqual({
      query: { name: 'Ann', since: '-7d', owner: 'me', sort: '-built' },
      columns: 'name,leaking',
      version: 1,
    })
  })

  it('that is gone, or no longer shared, shows a notice', async () => {
    await show('/boats?view=99&leaking=true')
    expect(await view.findByText(/^This view is no longer there/)).toBeTruthy()
    expect(view.getByRole('button', { name: 'Leave this view' })).toBeTruthy()
  })

  it('is saved with its name, relative where that is ticked, and shared', async () => {
    fakeServer.use({ 'POST /views': ({ body }) => ({ data: { ...VIEW, ...body, id: 5 } }) })
    const { address } = await show(`/boats?since=${dayBefore(7)}&owner=7`)
    await press('Columns and views')
    await press('Save the current list as a view')
    const dialog = within(view.getByRole('dialog'))
    await userEvent.type(await dialog.findByRole('textbox', { name: 'Name' }), 'Mine')
    await tick('Built since: always 7 days before today')
    await userEvent.selectOptions(view.getByRole('combobox', { name: 'Share with' }), 'team')
    expect(view.getByText(/^The people you manage, those who share your manager/)).toBeTruthy()
    await press('Save view')
    await waitFor(() => expect(address()).toContain('view=5'))
    expect(fakeServer.requestsTo('POST /views')[0].body).toEqual({
      screen: 'boats',
      name: 'Mine',
      shared: 'team',
      query: { since: '-7d', owner: 'me' },
      columns: 'name,length,built',
    })
  })

  it('is not offered to be shared with a free text or another person in it', async () => {
    await show('/boats?name=Smith&owner=9')
    await press('Columns and views')
    await press('Save the current list as a view')
    const share = (await view.findByRole('combobox', { name: 'Share with' })) as HTMLSelectElement
    expect(share.disabled).toBe(true)
    expect(view.getByText(/cannot be shared while it is filtered by Name, Owner/)).toBeTruthy()
  })

  it('is deleted by its owner after a question, and by nobody else', async () => {
    fakeServer.use({ 'DELETE /views/{id}': { status: 204 } })
    await show()
    await press('Columns and views')
    expect(await view.findByRole('link', { name: 'Of Bob' })).toBeTruthy()
    expect(view.queryByRole('button', { name: 'Delete Of Bob' })).toBeNull()
    await press('Delete Old ones')
    expect(view.getByRole('alert').textContent).toBe('Delete it for everybody?')
    expect(fakeServer.requestsTo('DELETE /views/3')).toEqual([])
    await press('Delete Old ones')
    await waitFor(() => expect(fakeServer.requestsTo('DELETE /views/3')).toHaveLength(1))
  })
})

describe('rows of a list that are selected', () => {
  it('must be some, before anything is done with them', async () => {
    await show()
    await press(/^Sell/)
    expect(view.getByRole('alert').textContent).toBe('Select an item for this task')
    expect(view.queryByRole('dialog')).toBeNull()
  })

  it('are given to one call; those that failed stay selected, with the reason', async () => {
    fakeServer.use({
      'POST /boats/sell/': {
        data: {
          words: '1 boat is sold',
          failed: [
            { id: 8, message: 'She sank' },
            { id: 9, message: 'She sank' },
          ],
        },
      },
    })
    const { notices } = await show()
    await tick('Select all on this page')
    await press('Sell 3 selected')
    await userEvent.type(await view.findByRole('textbox', { name: 'Buyer' }), 'Dan')
    await userEvent.click(within(view.getByRole('dialog')).getByRole('button', { name: 'Sell' }))
    await waitFor(() => expect(notices).toHaveLength(1))
    expect(fakeServer.requestsTo('POST /boats/sell/')[0].body).toEqual({
      boats: [7, 8, 9],
      // All three have it in common.
      harbour: 3,
      buyer: 'Dan',
    })
    expect(notices[0]).toMatchObject({
      kind: 'warning',
      title: '1 boat is sold',
      text: 'Bob 8, Cyd 9: She sank. They are still selected.',
    })
    const ticked = (name: string) => (view.getByRole('checkbox', { name }) as HTMLInputElement).checked
    await waitFor(() => expect(['Select Ann 7', 'Select Bob 8'].map(ticked)).toEqual([false, true]))
  })

  it('are exported alone', async () => {
    fakeServer.use({ 'GET /boats/': ({ query }) => (query.format ? { data: new Blob([]) } : page(rows)) })
    await show()
    await tick('Select Cyd 9')
    await tick('Select Ann 7')
    await press('Export selected')
    await waitFor(() => expect(lists().at(-1)).toMatchObject({ format: 'xlsx', ids: '9,7' }))
  })

  it('stay when the page is turned, and go with the filters', async () => {
    fakeServer.use({ 'GET /boats/': page(rows, { count: 57, num_pages: 6 }) })
    await show()
    await tick('Select Ann 7')
    await userEvent.click(view.getByRole('link', { name: 'Next' }))
    expect(await view.findByRole('button', { name: 'Sell 1 selected' })).toBeTruthy()
    await press('Filters')
    await tick('Leaking only')
    await press('Apply filters')
    expect(await view.findByRole('button', { name: 'Sell 0 selected' })).toBeTruthy()
  })

  it('are ticked by x where the focus is', async () => {
    const linked = { ...LIST, columns: [{ field: 'name', link: '/boats/{id}' }, 'length'] }
    await open({ boats: linked }, '/boats', { contract })
    await view.findByRole('table')
    await userEvent.keyboard('jjx')
    const box = view.getByRole('checkbox', { name: 'Select Bob 8' }) as HTMLInputElement
    expect(box.checked).toBe(true)
  })

  it('are not offered where a list declares none', async () => {
    await open({ boats: { ...LIST, selection: undefined } }, '/boats', { contract })
    await view.findByRole('table')
    expect(view.queryByRole('checkbox', { name: /^Select/ })).toBeNull()
  })
})
