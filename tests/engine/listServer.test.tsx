// @vitest-environment jsdom
import { cleanup, createEvent, fireEvent, screen as view, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { AxiosError, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { http } from '../../src/engine/runtime/http.ts'
import { contract, open, page, serve } from './context.tsx'

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
const lists = (sent: ReturnType<typeof serve>) => sent.filter((s) => s.url === '/boats/').map((s) => s.query)

beforeEach(() => localStorage.clear())
afterEach(cleanup)

describe('a list whose reply says more', () => {
  it('stands under a key of the reply, all on one page', async () => {
    const sent = serve({ 'GET /boats/': () => ({ data: { fleet: [ann, bob, cid] } }) })
    open({ boats: { ...LIST, rowsKey: 'fleet' } }, '/boats')
    expect(await view.findByText('Showing 1 to 3 of 3')).toBeTruthy()
    expect(view.queryByLabelText('Rows on a page')).toBeNull()
    expect(lists(sent)[0]).toEqual({})
    await userEvent.click(view.getByRole('button', { name: 'Name' }))
    await waitFor(() => expect(last(lists(sent))).toEqual({ order_by: 'name', sort_order: 'asc' }))
  })

  it('has the columns that the reply names, after the first, sorted by those that have an order', async () => {
    const rows = [{ ...ann, rig: 3, launched: '2026-06-04', flags: [1] }]
    const sent = serve({ 'GET /boats/': () => ({ data: { ...page(rows), fields: FIELDS } }) })
    const { address } = open({ boats: { ...LIST, more: 'fields' } }, '/boats?sort=-launched')
    await waitFor(() => expect(headings()).toEqual(['Name', 'Rig', 'Launched', 'Flags', 'Length', 'Status']))
    expect(view.getByRole('row', { name: /Ann/ }).textContent).toBe('AnnKetch4 June 2026Red9Afloat')
    expect(lists(sent)[0]).toMatchObject({ order_by: 'launched', sort_order: 'desc' })
    expect(view.queryByRole('button', { name: 'Flags' })).toBeNull()
    await userEvent.click(view.getByRole('button', { name: 'Rig' }))
    expect(address()).toBe('/boats?sort=rig')
  })
})

describe('the order of a list', () => {
  const show = async () => {
    const sent = serve({
      'GET /boats/': () => ({ data: page([ann, bob, cid]) }),
      'POST /north/order/': () => ({ data: {} }),
    })
    const opened = open({ boats: { ...LIST, reorder: 'boats.order' } }, '/boats?page=2')
    await userEvent.click(await view.findByRole('button', { name: 'Change order' }))
    await view.findByRole('heading', { name: 'Order: Boats' })
    await view.findByRole('list', { name: 'Boats' })
    return { sent, ...opened }
  }
  const names = () =>
    within(view.getByRole('list', { name: 'Boats' }))
      .getAllByRole('listitem')
      .map((item) => item.querySelector('.reorder-name')?.textContent)
  const said = () => document.querySelector('[aria-live="assertive"]')?.textContent

  it('is changed by buttons and by keys, said aloud, and saved at once', async () => {
    const { sent, notices } = await show()
    expect(last(lists(sent))).toEqual({})
    await userEvent.click(view.getByRole('button', { name: 'Move Ann down' }))
    expect(names()).toEqual(['Bob', 'Ann', 'Cid'])
    expect(said()).toBe('Ann is now 2 of 3')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Ann down')
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(names()).toEqual(['Bob', 'Cid', 'Ann'])
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(said()).toBe('Ann is already last')
    await userEvent.click(view.getByRole('button', { name: 'Save order' }))
    await waitFor(() => expect(notices.map((n) => n.text)).toEqual(['The order is saved']))
    const { body } = sent.find(({ url }) => url === '/north/order/')!
    expect(body).toEqual({ ids: [8, 9, 7] })
    expect(await view.findByRole('table', { name: 'Boats' })).toBeTruthy()
  })

  it('is changed by dragging, and put back when the drag is given up', async () => {
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
    expect(said()).toBe('Cid is now 2 of 3')
  })

  it('is not asked of those who may not give it', async () => {
    serve({ 'GET /boats/': () => ({ data: page([ann]) }) })
    contract.endpoints['boats.order'].roles = ['sailor']
    open({ boats: { ...LIST, reorder: 'boats.order' } }, '/boats')
    await view.findByRole('table')
    expect(view.queryByRole('button', { name: 'Change order' })).toBeNull()
    contract.endpoints['boats.order'].roles = 'staff'
  })
})

describe('an import', () => {
  const SCREEN = { ...LIST, import: { preview: 'boats.preview', apply: 'boats.apply' } }
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
  const answer = (answers: Record<string, () => [number, unknown]>) => {
    const sent: [string, unknown][] = []
    http.defaults.adapter = async (config: InternalAxiosRequestConfig): Promise<AxiosResponse> => {
      const key = `${config.method?.toUpperCase()} ${config.url}`
      sent.push([key, config.data])
      const [status, data] = answers[key]?.() ?? [200, config.url === '/boats/' ? page([ann]) : []]
      const reply = { data, status, statusText: '', headers: {}, config }
      if (status < 300) return reply
      throw new AxiosError('', '', config, undefined, reply)
    }
    return sent
  }
  const choose = async (text = 'x') => {
    await userEvent.click(await view.findByRole('button', { name: 'Import' }))
    const dialog = await view.findByRole('dialog', { name: 'Import into Boats' })
    await userEvent.upload(within(dialog).getByLabelText('File'), new File([text], 'boats.xlsx'))
    return within(dialog)
  }

  it('shows first what would be done, and does it with the same file', async () => {
    const sent = answer({
      'POST /boats/preview/': () => [200, plan],
      'POST /boats/apply/': () => [200, plan],
    })
    const { notices } = open({ boats: SCREEN }, '/boats')
    const dialog = await choose()
    expect(await dialog.findByText('boats.xlsx: 1 added, 1 changed, 4 unchanged.')).toBeTruthy()
    expect(dialog.getByRole('row', { name: /Changed: Ann/ }).textContent).toContain('An')
    expect(dialog.queryByRole('row', { name: /Same/ })).toBeNull()
    await userEvent.click(dialog.getByRole('button', { name: 'Import into Boats' }))
    await waitFor(() => expect(notices.map((n) => n.text)).toEqual(['1 added, 1 changed']))
    const files = sent
      .filter(([key]) => key.startsWith('POST'))
      .map(([, data]) => (data as FormData).get('file'))
    expect(files.map((one) => (one as File).name)).toEqual(['boats.xlsx', 'boats.xlsx'])
    await waitFor(() => expect(view.queryByRole('dialog')).toBeNull())
  })

  it('names every mistake by its cell, and does nothing', async () => {
    const errors = [{ row: 3, column: 'B', message: 'Enter name' }]
    answer({ 'POST /boats/preview/': () => [200, { ...plan, errors }] })
    open({ boats: SCREEN }, '/boats')
    const dialog = await choose()
    expect((await dialog.findByRole('listitem')).textContent).toBe('B3 Enter name')
    expect(dialog.getByText('1 mistake in boats.xlsx')).toBeTruthy()
    expect(dialog.getByLabelText<HTMLInputElement>('File').files?.[0]?.name).toBe('boats.xlsx')
    expect(dialog.getByRole('button', { name: 'Import into Boats' })).toHaveProperty('disabled', true)
  })

  it('says why a file cannot be read', async () => {
    answer({ 'POST /boats/preview/': () => [400, { message: 'This is no spreadsheet' }] })
    open({ boats: SCREEN }, '/boats')
    expect(await (await choose()).findByText('This is no spreadsheet')).toBeTruthy()
  })
})

describe('a question that looks first', () => {
  it('lists what a call finds, under the heading that the action gives', async () => {
    const action = {
      label: 'Remove',
      call: 'boats.remove',
      confirm: 'Remove {name}?',
      check: 'boats.checks',
      checked: 'Used by',
    }
    serve({
      'GET /boats/': () => ({ data: page([ann]) }),
      'GET /north/boat/7/checks/': () => ({ data: [{ id: 'a', label: 'Crew: 3 records' }] }),
    })
    open({ boats: { ...LIST, actions: [action] } }, '/boats')
    await userEvent.click(await view.findByRole('button', { name: 'Remove Ann' }))
    const dialog = within(await view.findByRole('alertdialog'))
    expect(await dialog.findByText('Crew: 3 records')).toBeTruthy()
    expect(dialog.getByText('Used by')).toBeTruthy()
  })
})
