import { cleanup, render, screen as view, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ListScreen } from '../../src/contract/generated.ts'
import { CELLS } from '../../src/contract/generatedNames.ts'
import { ageOn } from '../../src/contract/lifespan.ts'
import { cells } from '../../src/engine/cells/cells.ts'
import { columnsOf } from '../../src/engine/cells/columns.ts'
import { today } from '../../src/engine/core/today.ts'
import { TableSheet } from '../../src/engine/kinds/list/Widths.tsx'
import { contract as product } from '../loadedContract.ts'
import { contract } from './boats.ts'
import { fakeServer, page } from './fakeServer.ts'
import { open } from './open.tsx'

const BOAT = {
  id: 1234,
  name: 'Ann',
  harbour: 3,
  crew: [5, 6, 99],
  built: '2026-06-04',
  seen_at: '2026-06-04T09:42:00Z',
  length: 12_345,
  at_sea: 5400,
  leaking: 'yes',
  owned: false,
  status: 2,
}

async function cellsOf(boat: object, columns: (string | object)[]): Promise<string[]> {
  fakeServer.use({
    'GET /boats/': page([boat]),
    'GET /harbours/': { data: [{ value: 3, label: 'Hull' }] },
    'GET /people/': ({ query }) => ({
      // Retired items are sent only with active=false.
      data: [
        { value: 5, label: 'Cid' },
        ...(query.active === false ? [{ value: 6, label: 'Dee', active: false }] : []),
      ],
    }),
  })
  const LIST = { route: '/boats', kind: 'list', title: 'Boats', source: 'boats.list', columns }
  await open({ boats: LIST }, '/boats')
  const row = (await view.findAllByRole('row'))[1]
  const texts = () => [...row.children].map((cell) => cell.textContent ?? '')
  await waitFor(() =>
    expect(
      columns.some((c, i) => ['harbour', 'crew'].includes(String(c)) && !texts()[i] && boat === BOAT),
    ).toBe(false),
  )
  return texts()
}

it('has a cell for every name that a column may use', () => {
  expect(Object.keys(cells)).toEqual([...CELLS])
})

it.each([
  ['cases', true],
  ['client-actions', true],
  ['work-facts', true],
  ['deadline-facts', true],
  ['issue-facts', true],
  ['register', true],
  ['referral-requests', true],
  ['clients', false],
  ['likely-pairs', false],
  ['my-cases', false],
])('knows whether the columns of %s can be read on a page of 768 px', (name, needsMore) => {
  const { source, columns, actions } = product.screens[name] as ListScreen
  const visible = columns.filter((column) => typeof column === 'string' || column.shown !== false)
  render(
    <TableSheet columns={columnsOf(product, source, visible)} actions={actions}>
      rows
    </TableSheet>,
  )
  const room = Number(view.getByText('rows').style.getPropertyValue('--room'))
  expect(room > 768 - 24, `${room}`).toBe(needsMore)
})

it('renders a value by its type', async () => {
  const fields = [
    'id',
    'name',
    'harbour',
    'crew',
    'built',
    'seen_at',
    'length',
    'at_sea',
    'leaking',
    'owned',
    'status',
  ]
  expect(await cellsOf(BOAT, fields)).toEqual([
    '1234',
    'Ann',
    'Hull',
    'Cid, Dee, 99',
    '4 June 2026',
    '4 June 2026, 10:42',
    '12,345',
    '01:30',
    'Yes',
    'No',
    'Ashore',
  ])
})

it('renders a value by the cell that the column names', async () => {
  const as = (field: string, cell: string) => ({ field, as: cell })
  expect(
    await cellsOf(BOAT, [
      as('length', 'text'),
      as('status', 'tag'),
      as('leaking', 'tag'),
      as('owned', 'tag'),
      as('length', 'hours'),
    ]),
  ).toEqual(['12345', 'Ashore', 'Leaking', '', '03:26'])
  expect(document.querySelectorAll('.bp6-tag')).toHaveLength(2)
})

it("leaves a cell without a value empty, and labels a link 'Untitled'", async () => {
  const none = Object.fromEntries(Object.keys(BOAT).map((key) => [key, null]))
  const fields = ['harbour', 'crew', 'built', 'seen_at', 'length', 'at_sea', 'leaking', 'owned', 'status']
  const tags = [
    { field: 'leaking', as: 'tag' },
    { field: 'status', as: 'tag' },
  ]
  expect(
    await cellsOf({ ...none, id: 1 }, [{ field: 'name', link: '/boats/{id}' }, ...fields, ...tags]),
  ).toEqual(['Untitled', ...[...fields, ...tags].map(() => '')])
})

it('renders no link if a part of the address is missing', async () => {
  await cellsOf({ id: 1, name: 'Ann', harbour: null }, [{ field: 'name', link: '/harbours/{harbour}' }])
  expect(within(view.getByRole('table')).queryByRole('link')).toBeNull()
})

it('labels every cell with its column, for narrow pages', async () => {
  await cellsOf(BOAT, ['name', { field: 'built', title: 'Launched' }])
  expect(
    [...document.querySelectorAll('tbody [data-label]')].map((c) => c.getAttribute('data-label')),
  ).toEqual(['Name', 'Launched'])
})

it('shows these labels for all values but tags and names, so that a number says what it is of', async () => {
  const row = { ...BOAT, id: 7, length: 3 }
  await cellsOf(row, [
    'built',
    { field: 'name', link: '/boats/{id}' },
    { field: 'length', link: '/boats/{id}/length' },
    { field: 'status', as: 'tag' },
  ])
  const labelled = document.querySelectorAll('tbody td[data-label]:not([data-clear])')
  expect([...labelled].map((cell) => cell.textContent)).toEqual(['3'])
})

it('renders a date of birth with the age, an NHS number 3-3-4, and a telephone as a link', async () => {
  expect(ageOn('2026-06-04', '1950-06-04')).toBe(76)
  expect(ageOn('2026-06-03', '1950-06-04')).toBe(75)
  const boat = { ...BOAT, built: '1950-06-04', name: '9434765919', leaking: '01632 960 182' }
  const columns = [
    { field: 'built', as: 'age' },
    { field: 'name', as: 'nhsNumber' },
    { field: 'leaking', as: 'phone' },
  ]
  const texts = await cellsOf(boat, columns)
  expect(texts).toEqual([expect.stringMatching(/^4 June 1950 \(\d+\)$/), '943 476 5919', '01632 960 182'])
  expect(view.getByRole('link', { name: '01632 960 182' }).getAttribute('href')).toBe('tel:01632960182')
})

it('says of somebody who died at which age, and does not call them active', async () => {
  const { boat } = contract.entities
  const properties = boat.properties as Record<string, object>
  properties.sunk = { title: 'Sunk', type: ['string', 'null'], format: 'date' }
  for (const name of ['name', 'built', 'status']) Object.assign(properties[name], { diedOn: 'sunk' })
  const columns = ['name', 'built', { field: 'status', as: 'tag' }, 'status']
  const afloat = { ...BOAT, name: 'Ann', built: '1931-05-07', status: 1 }
  expect(await cellsOf({ ...afloat, sunk: '2026-06-03' }, columns)).toEqual([
    'Ann Died',
    '7 May 1931 – 3 June 2026, died at 95',
    'Died',
    'Died',
  ])
  cleanup()
  expect(await cellsOf({ ...afloat, status: 2, sunk: '2026-06-03' }, columns)).toEqual([
    'Ann Died',
    '7 May 1931 – 3 June 2026, died at 95',
    'DiedAshore',
    'Died, Ashore',
  ])
  cleanup()
  const [name, , tag] = await cellsOf({ ...afloat, sunk: null }, columns)
  expect([name, tag]).toEqual(['Ann', 'Afloat'])
  for (const property of Object.values(properties)) delete (property as { diedOn?: string }).diedOn
})

it.each([
  [-25, '25 days overdue'],
  [-1, '1 day overdue'],
  [0, 'Today'],
  [1, 'Tomorrow'],
])('renders how far off a day is, %i days from now: %s', async (days, words) => {
  const day = new Date(Date.parse(today()) + days * 86_400_000).toISOString().slice(0, 10)
  expect(await cellsOf({ ...BOAT, built: day }, [{ field: 'built', as: 'due' }])).toEqual([words])
})

it.each([
  ['no empty value', { built: '2026-06-04', length: 7 }, [1, 1, 1]],
  ['the first one empty', { built: null, length: 7 }, [2, 1]],
  ['only the last one empty', { built: '2026-06-04', length: null }, [1, 1, 1]],
  ['all empty', { built: null, length: null }, [3]],
])('lets the name take the room of empty values right after it: %s', async (_, values, spans) => {
  fakeServer.use({ 'GET /boats/': page([{ id: 1, name: 'Ann', ...values }]) })
  const columns = [{ field: 'name', width: 20 }, 'built', 'length']
  const LIST = { route: '/boats', kind: 'list', title: 'Boats', source: 'boats.list', columns }
  await open({ boats: LIST }, '/boats')
  const row = (await view.findAllByRole('row'))[1] as HTMLTableRowElement
  expect([...row.cells].map(({ colSpan }) => colSpan)).toEqual(spans)
})
