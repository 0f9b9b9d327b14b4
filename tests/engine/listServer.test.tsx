import { createEvent, fireEvent, screen as view, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fileName } from '../../src/engine/core/download.ts'
import { contract } from './boats.ts'
import { fakeServer, page } from './fakeServer.ts'
import { open } from './open.tsx'

Object.assign(contract.endpoints, {
  'boats.order': {
    call: 'POST /{fleet}/order/',
    does: 'boats.order',
    touches: ['boat'],
    choices: true,
    roles: 'staff',
  },
  'boats.preview': { call: 'POST /boats/preview/', does: 'boats.preview', touches: [], roles: 'staff' },
  'boats.apply': { call: 'POST /boats/apply/', does: 'boats.apply', touches: ['boat'], roles: 'staff' },
  'boats.checks': { call: 'GET /{fleet}/boat/{id}/checks/', does: 'boats.checks', roles: 'staff' },
})

const LIST = {
  route: '/boats',
  kind: 'list',
  title: 'Boats',
  fixedParams: { fleet: 'north' },
  source: 'boats.list',
  columns: [{ field: 'name', sort: true }, 'length', { field: 'status', as: 'tag' }],
}
const [ann, bob, cid] = ['Ann', 'Bob', 'Cid'].map((name, i) => ({ id: i + 7, name, length: 9, status: 1 }))
const FIELDS = [
  { name: 'rig', label: 'Rig', type: 'select', attrs: { options: [{ value: 3, label: 'Ketch' }] } },
  { name: 'launched', label: 'Launched', type: 'date' },
  { name: 'flags', label: 'Flags', type: 'multiselect', attrs: { options: [{ value: 1, label: 'Red' }] } },
]
const headings = () => view.getAllByRole('columnheader').map((one) => one.textContent)
const last = <T,>(list: T[]) => list.at(-1)!
const lists = () => fakeServer.requestsTo('GET /boats/').map(({ query }) => query)

beforeEach(() => fakeServer.use({ 'GET /harbours/': { data: [] } }))

describe('a list with more in its reply', () => {
  it('reads rows from a key of the reply, all on one page', async () => {
    fakeServer.use({ 'GET /boats/': { data: { fleet: [ann, bob, cid] } } })
    await open({ boats: { ...LIST, rowsKey: 'fleet' } }, '/boats')
    expect(await view.findByText('Showing 1 to 3 of 3')).toBeTruthy()
    expect(view.queryByLabelText('Rows on a page')).toBeNull()
    expect(lists()[0]).toEqual({})
    await userEvent.click(view.getByRole('button', { name: 'Name' }))
    await waitFor(() => expect(last(lists())).toEqual({ order_by: 'name', sort_order: 'asc' }))
  })

  it('renders the columns that the reply names, after the first, and sorts by them', async () => {
    const rows = [{ ...ann, rig: 3, launched: '2026-06-04', flags: [1] }]
    fakeServer.use({ 'GET /boats/': { data: { ...page(rows).data, fields: FIELDS } } })
    const { address } = await open({ boats: { ...LIST, more: 'fields' } }, '/boats?sort=-launched')
    await waitFor(() => expect(headings()).toEqual(['Name', 'Rig', 'Launched', 'Flags', 'Length', 'Status']))
    expect(view.getByRole('row', { name: /Ann/ }).textContent).toBe('AnnKetch4 June 2026Red9Afloat')
    expect(lists()[0]).toMatchObject({ order_by: 'launched', sort_order: 'desc' })
    expect(view.queryByRole('button', { name: 'Flags' })).toBeNull()
    await userEvent.click(view.getByRole('button', { name: 'Rig' }))
    expect(address()).toBe('/boats?sort=rig')
  })
})

describe('the order of a list', () => {
  const show = async () => {
    fakeServer.use({
      'GET /boats/': page([ann, bob, cid]),
      'POST /north/order/': { data: {} },
    })
    const opened = await open({ boats: { ...LIST, reorder: 'boats.order' } }, '/boats?page=2')
    await userEvent.click(await view.findByRole('button', { name: 'Change order' }))
    await view.findByRole('heading', { name: 'Order: Boats' })
    await view.findByRole('list', { name: 'Boats' })
    return opened
  }
  const names = () =>
    within(view.getByRole('list', { name: 'Boats' }))
      .getAllByRole('listitem')
      .map((item) => item.querySelector('.reorder-name')?.textContent)
  const announced = () => document.querySelector('[aria-live="assertive"]')?.textContent

  it('is changed by buttons and by keys, announced, and saved by one call', async () => {
    const { notices } = await show()
    expect(last(lists())).toEqual({})
    await userEvent.click(view.getByRole('button', { name: 'Move Ann down' }))
    expect(names()).toEqual(['Bob', 'Ann', 'Cid'])
    expect(announced()).toBe('Ann is now 2 of 3')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Ann down')
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(names()).toEqual(['Bob', 'Cid', 'Ann'])
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(announced()).toBe('Ann is already last')
    await userEvent.click(view.getByRole('button', { name: 'Save order' }))
    await waitFor(() => expect(notices.map((n) => n.text)).toEqual(['The order is saved']))
    const [{ body }] = fakeServer.requestsTo('POST /north/order/')
    expect(body).toEqual({ ids: [8, 9, 7] })
    expect(await view.findByRole('table', { name: 'Boats' })).toBeTruthy()
  })

  it('is changed by dragging, and restored when the drag is cancelled', async () => {
    await show()
    const item = (name: string) => view.getByText(name).closest('li')!
    const drag = (type: 'dragStart' | 'dragOver' | 'drop' | 'dragEnd', on: HTMLElement) => {
      const event = createEvent[type](on)
      Object.defineProperty(event, 'dataTransfer', { value: { setData: () => undefined } })
      fireEvent(on, event)
    }
    drag('dragStart', item('Cid'))
    drag('dragOver', item('Ann'))
    expect(names()).toEqual(['Cid', 'Ann', 'Bob'])
    drag('dragEnd', item('Cid'))
    expect(names()).toEqual(['Ann', 'Bob', 'Cid'])
    drag('dragStart', item('Cid'))
    drag('dragOver', item('Bob'))
    drag('drop', item('Cid'))
    drag('dragEnd', item('Cid'))
    expect(names()).toEqual(['Ann', 'Cid', 'Bob'])
    expect(announced()).toBe('Cid is now 2 of 3')
  })

  it('is not offered to roles that may not save it', async () => {
    fakeServer.use({ 'GET /boats/': page([ann]) })
    contract.endpoints['boats.order'].roles = ['sailor']
    await open({ boats: { ...LIST, reorder: 'boats.order' } }, '/boats')
    await view.findByRole('table')
    expect(view.queryByRole('button', { name: 'Change order' })).toBeNull()
    contract.endpoints['boats.order'].roles = 'staff'
  })
})

describe('the export', () => {
  it('requests the same rows, columns and tags as a file, and saves it under the server’s file name', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    const blob = new Blob(['x'])
    const headers = { 'content-disposition': 'attachment; filename="boats-list.xlsx"' }
    fakeServer.use({
      'GET /boats/': ({ query }) => (query.format ? { data: blob, headers } : page([ann])),
    })
    URL.createObjectURL = vi.fn(() => 'blob:1')
    URL.revokeObjectURL = vi.fn()
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(`${this.download} ${this.href}`)
    })
    const [name, ...columns] = LIST.columns
    const tagged = { ...(name as object), tags: [{ field: 'leaking', colour: 'amber' }] }
    await open({ boats: { ...LIST, columns: [tagged, ...columns] } }, '/boats?name=An&sort=-name&page=2')
    await view.findByRole('table')
    await user.click(view.getByRole('button', { name: 'Export to Excel' }))
    await waitFor(() => expect(saved).toEqual(['boats-list.xlsx blob:1']))
    expect(last(lists())).toEqual({
      name: 'An',
      order_by: 'name',
      sort_order: 'desc',
      columns: 'name,leaking,length,status',
      format: 'xlsx',
    })
    vi.advanceTimersByTime(39_000)
    expect(URL.revokeObjectURL).not.toHaveBeenCalled()
    vi.advanceTimersByTime(2000)
    expect(URL.revokeObjectURL).toHaveBeenCalledWith('blob:1')
  })

  it('is not offered if the screen switches it off', async () => {
    fakeServer.use({ 'GET /boats/': page([ann]) })
    await open({ boats: { ...LIST, export: false } }, '/boats')
    await view.findByRole('table')
    expect(view.queryByRole('button', { name: 'Export to Excel' })).toBeNull()
  })

  it('parses the file name of a Content-Disposition', () => {
    expect(fileName('attachment; filename="a.xlsx"; filename*=UTF-8\'\'%C3%A9.xlsx')).toBe('é.xlsx')
    expect(fileName('attachment; filename=a.xlsx')).toBe('a.xlsx')
    expect(fileName('attachment; filename="a.xlsx"; filename*=UTF-8\'\'%E9.xlsx')).toBe('a.xlsx')
    expect(fileName('attachment')).toBeUndefined()
  })
})

describe('an import', () => {
  const SCREEN = { ...LIST, import: { preview: 'boats.preview', apply: 'boats.apply' } }
  beforeEach(() => fakeServer.use({ 'GET /boats/': page([ann]) }))
  const plan = {
    counts: { added: 1, changed: 1, unchanged: 4 },
    rows: [
      {
        row: 2,
        label: 'Ann',
        state: 'changed',
        changes: [{ field: 'name', label: 'Name', from: 'An', to: 'Ann' }],
      },
      { row: 3, label: 'Dot', state: 'added', changes: [] },
      { row: 4, label: 'Same', state: 'unchanged', changes: [] },
    ],
    errors: [],
  }
  const choose = async (text = 'x') => {
    await userEvent.click(await view.findByRole('button', { name: 'Import' }))
    const dialog = await view.findByRole('dialog', { name: 'Import into Boats' })
    await userEvent.upload(within(dialog).getByLabelText('File'), new File([text], 'boats.xlsx'))
    return within(dialog)
  }

  it('previews the changes, then applies the same file', async () => {
    fakeServer.use({ 'POST /boats/preview/': { data: plan }, 'POST /boats/apply/': { data: plan } })
    const { notices } = await open({ boats: SCREEN }, '/boats')
    const dialog = await choose()
    expect(await dialog.findByText('boats.xlsx: 1 added, 1 changed, 4 unchanged.')).toBeTruthy()
    expect(dialog.getByRole('row', { name: /Changed: Ann/ }).textContent).toContain('An')
    expect(dialog.queryByRole('row', { name: /Same/ })).toBeNull()
    await userEvent.click(dialog.getByRole('button', { name: 'Import into Boats' }))
    await waitFor(() => expect(notices.map((n) => n.text)).toEqual(['1 added, 1 changed']))
    const files = ['POST /boats/preview/', 'POST /boats/apply/'].map((call) =>
      fakeServer.requestsTo(call).map(({ body }) => (body.file as File).name),
    )
    expect(files).toEqual([['boats.xlsx'], ['boats.xlsx']])
    await waitFor(() => expect(view.queryByRole('dialog')).toBeNull())
  })

  it('lists what it would do to other records', async () => {
    const effects = [{ id: 'a', label: 'Berth 4: 2 boats' }]
    fakeServer.use({ 'POST /boats/preview/': { data: { ...plan, effects } } })
    const effectsLabel = 'Berths that would move'
    await open({ boats: { ...SCREEN, import: { ...SCREEN.import, effectsLabel } } }, '/boats')
    const dialog = await choose()
    expect((await dialog.findByRole('heading', { name: effectsLabel })).nextSibling?.textContent).toBe(
      'Berth 4: 2 boats',
    )
  })

  it('lists every error by its cell, and applies nothing', async () => {
    const errors = [{ row: 3, column: 'B', message: 'Enter name' }]
    fakeServer.use({ 'POST /boats/preview/': { data: { ...plan, errors } } })
    await open({ boats: SCREEN }, '/boats')
    const dialog = await choose()
    expect((await dialog.findByRole('listitem')).textContent).toBe('B3 Enter name')
    expect(dialog.getByText('1 mistake in boats.xlsx')).toBeTruthy()
    expect(dialog.getByLabelText<HTMLInputElement>('File').files?.[0]?.name).toBe('boats.xlsx')
    expect(dialog.getByRole('button', { name: 'Import into Boats' })).toHaveProperty('disabled', true)
  })

  it('shows why a file cannot be read', async () => {
    fakeServer.use({ 'POST /boats/preview/': { status: 400, data: { message: 'This is no spreadsheet' } } })
    await open({ boats: SCREEN }, '/boats')
    expect(await (await choose()).findByText('This is no spreadsheet')).toBeTruthy()
  })
})

describe('a confirmation with a check', () => {
  it('lists what the check call returns, under the heading of the action', async () => {
    const action = {
      label: 'Remove',
      call: 'boats.remove',
      confirm: 'Remove {name}?',
      check: 'boats.checks',
      checked: 'Used by',
    }
    fakeServer.use({
      'GET /boats/': page([ann]),
      'GET /north/boat/7/checks/': { data: [{ id: 'a', label: 'Crew: 3 records' }] },
    })
    await open({ boats: { ...LIST, actions: [action] } }, '/boats')
    await userEvent.click(await view.findByRole('button', { name: 'Remove Ann' }))
    const dialog = within(await view.findByRole('alertdialog'))
    expect(await dialog.findByText('Crew: 3 records')).toBeTruthy()
    expect(dialog.getByText('Used by')).toBeTruthy()
  })
})

describe('an action that explains', () => {
  const action = { label: 'Why is it here?', explains: 'boats.checks', rare: true }
  const openDialog = async () => {
    await open({ boats: { ...LIST, actions: [action] } }, '/boats')
    await userEvent.click(await view.findByRole('button', { name: 'More actions for Ann' }))
    await userEvent.click(await view.findByRole('menuitem', { name: 'Why is it here?' }))
    return within(await view.findByRole('dialog', { name: 'Why is it here?' }))
  }

  it('shows the texts of its call in a dialog, and changes nothing', async () => {
    fakeServer.use({
      'GET /boats/': page([ann]),
      'GET /north/boat/7/checks/': { data: [{ id: 1, label: 'It is moored here' }] },
    })
    const dialog = await openDialog()
    expect((await dialog.findByRole('listitem')).textContent).toBe('It is moored here')
    await userEvent.click(dialog.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(view.queryByRole('dialog')).toBeNull())
    expect(fakeServer.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  it('shows why its call failed', async () => {
    fakeServer.use({
      'GET /boats/': page([ann]),
      'GET /north/boat/7/checks/': { status: 404, data: { message: 'There is no such boat' } },
    })
    const dialog = await openDialog()
    expect(await dialog.findByRole('alert')).toBeTruthy()
    expect(dialog.queryByRole('listitem')).toBeNull()
  })
})
