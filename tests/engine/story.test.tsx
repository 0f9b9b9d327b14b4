import { act, screen as view, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { formatRelativeDate } from '../../src/engine/core/dates.ts'
import '../../src/engine/kinds/list/Timeline.tsx'
import { contract } from './boats.ts'
import { fakeServer, page } from './fakeServer.ts'
import { open, person } from './open.tsx'

Object.assign(contract.entities.boat.properties, {
  log: { title: 'Log', type: 'string', maxLength: 20000 },
  changes: { title: 'Changes', type: 'array' },
})
Object.assign(contract.endpoints, {
  'chronology.restore': {
    call: 'POST /log/{id}/restore/',
    does: 'boats.restore',
    touches: ['boat', 'dinghy'],
    roles: ['captain'],
  },
})

const STORY = {
  route: '/boats',
  kind: 'list',
  layout: 'timeline',
  group: 'built',
  title: 'Log',
  source: 'boats.list',
  filters: ['harbour'],
  columns: [
    'built',
    { field: 'status', as: 'tag' },
    { field: 'name', link: '/boats/{harbour}' },
    'log',
    { field: 'changes', as: 'changes' },
    'length',
  ],
  toolbar: [{ label: 'Print', print: true }],
}
const changed = {
  id: 7,
  built: '2026-06-04',
  status: 1,
  name: 'Boat changed',
  harbour: 3,
  entity: 'boat',
  action: 'update',
  changes: [
    { field: 'name', label: 'Name', from: 'Ann', to: 'Anna' },
    { field: 'log', label: 'Log', from: '', to: 'x' },
    { field: 'crew', label: 'Crew', from: 'Bob', to: '' },
  ],
}
const seen = { id: 8, built: '2026-06-04', status: 2, name: 'Seen', log: 'One\nTwo', length: 12 }
const old = {
  id: 9,
  built: '2025-01-01',
  name: 'Built',
  entity: 'boat',
  action: 'create',
  changes: changed.changes,
}
const handlers = {
  'GET /boats/': page([changed, seen, old], { count: 13, num_pages: 2 }),
  'GET /harbours/': { data: [{ value: 3, label: 'Hull' }] },
}

beforeEach(() => fakeServer.use(handlers))

it('groups entries by day, in the order of the reply', async () => {
  await open({ log: STORY }, '/boats?harbour=3')
  const [first, second] = await view.findAllByRole('article')
  expect(view.getAllByRole('heading', { level: 3 }).map((h) => h.textContent)).toEqual([
    '4 June 2026',
    '1 January 2025',
  ])
  expect(fakeServer.requestsTo('GET /boats/')[0].query).toEqual({ p: 1, page_size: 10, harbour: 3 })
  expect(within(first).getByRole('heading', { level: 4 }).textContent).toContain('Afloat')
  expect(within(first).getByRole('link', { name: 'Boat changed' }).getAttribute('href')).toBe('/boats/3')
  expect(within(second).queryByRole('link')).toBeNull()
  expect(second.querySelector('.timeline-text')?.textContent).toBe('One\nTwo')
  expect(second.textContent).toContain('Length12')
  expect(view.getByRole('navigation', { name: 'Pages' })).toBeTruthy()
})

it('links an entry to the page of its record, if there is one', async () => {
  Object.assign(contract.entities, { hull: { ...contract.entities.boat, page: '/boats/{harbour}/log/{id}' } })
  const rows = [
    { ...changed, entity: 'hull', record: 70 },
    { ...seen, entity: 'hull' },
    { ...old, entity: 'mast', record: 3 },
  ]
  fakeServer.use({ 'GET /boats/': page(rows) })
  const name = { field: 'name', record: { entity: 'entity', id: 'record' } }
  const columns = STORY.columns.map((c) => (typeof c !== 'string' && c.field === 'name' ? name : c))
  await open({ log: { ...STORY, columns } }, '/boats')
  await view.findAllByRole('article')
  const links = view.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links).toEqual(['/boats/3/log/70'])
})

it('shows old and new values, and restores one after confirmation', async () => {
  fakeServer.use({ 'POST /log/7/restore/': { data: { id: 7 } } })
  const { notices } = await open({ log: STORY }, '/boats')
  const [first, , last] = await view.findAllByRole('article')
  await waitFor(() => expect(first.querySelector('del')?.textContent).toContain('Ann'))
  expect(first.querySelector('ins')?.textContent).toContain('Anna')
  expect(first.textContent).toContain('emptied')
  await userEvent.click(await within(first).findByRole('button', { name: 'Put back Name' }))
  const dialog = await view.findByRole('alertdialog')
  expect(dialog.textContent).toContain('Set “Name” back to “Ann”?')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Put back' }))
  await waitFor(() => expect(notices.map((n) => n.text)).toEqual(['“Name” is put back']))
  expect(fakeServer.requestsTo('POST /log/7/restore/')[0].body).toEqual({ field: 'name' })
  await waitFor(() => expect(fakeServer.requestsTo('GET /boats/')).toHaveLength(2))
  // The values of a new record are no changes.
  expect(within(last).queryByRole('button')).toBeNull()
})

it('offers to put back only fields that this user may set', async () => {
  const { name, crew, ...others } = contract.entities.boat.properties
  const properties = {
    ...others,
    name: { ...name, writeOnce: true },
    crew: { ...crew, setBy: { update: ['admiral'] } },
  }
  Object.assign(contract.entities, { dinghy: { ...contract.entities.boat, properties } })
  const rows = [{ ...changed, entity: 'dinghy' }]
  fakeServer.use({ 'GET /boats/': page(rows) })
  await open({ log: STORY }, '/boats')
  const found = await view.findAllByRole('button', { name: /^Put back/ })
  expect(found.map((one) => one.getAttribute('aria-label') ?? one.textContent)).toEqual(['Put back Log'])
})

it('offers to put back only to roles that may restore', async () => {
  await open({ log: STORY }, '/boats', { person: person([2]) })
  await view.findAllByRole('article')
  expect(view.queryByRole('button', { name: /^Put back/ })).toBeNull()
})

it('does not offer to put back a change of a record that this user only reads', async () => {
  fakeServer.use({ 'GET /boats/': page([{ ...changed, may_change: false }]) })
  await open({ log: STORY }, '/boats')
  await view.findAllByRole('article')
  expect(view.queryByRole('button', { name: /^Put back/ })).toBeNull()
})

it('truncates a long change until Show more is clicked', async () => {
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(500)
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(80)
  await open({ log: STORY }, '/boats', { person: person([2]) })
  const [button] = await view.findAllByRole('button', { name: 'Show more of Crew' })
  await userEvent.click(button)
  expect(button.textContent).toBe('Show less of Crew')
})

it('prints all rows up to 500, says when there are more, and renders the page again afterwards', async () => {
  const rows = Array.from({ length: 500 }, (_, i) => ({ ...seen, id: i + 1 }))
  fakeServer.use({
    'GET /boats/': ({ query }) =>
      query.page_size === 500 ? page(rows, { page_size: 500, count: 812, num_pages: 2 }) : page([seen]),
  })
  let printed = 0
  window.print = () => {
    printed = document.querySelectorAll('article').length
  }
  await open({ log: STORY }, '/boats')
  await view.findByRole('article')
  await userEvent.click(view.getByRole('button', { name: 'Print' }))
  await waitFor(() => expect(printed).toBe(500))
  expect(view.getByText(/Only the first 500 are printed/)).toBeTruthy()
  act(() => void window.dispatchEvent(new Event('afterprint')))
  await waitFor(() => expect(document.querySelectorAll('article')).toHaveLength(1))
})

it('formats how long ago a day was', () => {
  const now = new Date('2026-06-15T23:30:00Z')
  expect(formatRelativeDate('2026-06-04', now)).toBe('12 days ago')
  expect(formatRelativeDate('2026-06-15', now)).toBe('yesterday')
  expect(formatRelativeDate('2026-06-16', now)).toBe('today')
  expect(formatRelativeDate('2026-06-19', now)).toBe('in 3 days')
  expect(formatRelativeDate('soon', now)).toBe('soon')
})
