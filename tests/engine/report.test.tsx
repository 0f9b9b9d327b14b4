import { screen as view, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { relativeDay } from '../../src/contract/relativeDay.ts'
import { today } from '../../src/engine/core/today.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer } from './fakeServer.ts'
import { open, person } from './open.tsx'
import { lookupHandlers } from './product.ts'

const HOUR = 3600
const row = (id: number, cases: number, activities: number) => ({
  id,
  name: `Person ${id}`,
  cases: cases * HOUR,
  activities: activities * HOUR,
  total: (cases + activities) * HOUR,
})
const reply = (rows: ReturnType<typeof row>[]) => {
  const sum = (field: 'cases' | 'activities' | 'total') => rows.reduce((all, one) => all + one[field], 0)
  return {
    data: {
      data: rows,
      totals: { cases: sum('cases'), activities: sum('activities'), total: sum('total') },
      pagination: { p: 1, page_size: rows.length, count: rows.length, num_pages: 1 },
    },
  }
}
const GET = 'GET /api/staff/time_report'

async function openReport(rows: ReturnType<typeof row>[], address = '/dashboard/team-time') {
  fakeServer.use({ ...lookupHandlers, [GET]: reply(rows) })
  await open({ 'team-time': contract.screens['team-time'] }, address, { contract, person: person([2]) })
  return view.findByRole('table')
}

it('asks for the last seven days, and shows the sums of the reply below the rows', async () => {
  const table = await openReport([row(1, 1, 2), row(2, 3, 0.5)])
  const [{ query }] = fakeServer.requestsTo(GET)
  expect(query).toEqual({ start: relativeDay('-7d', today()), end: today() })
  const last = within(table).getAllByRole('row').at(-1)!
  expect([...last.children].map((cell) => cell.textContent)).toEqual(['Total', '04:00', '02:30', '06:30'])
})

it('says in a sentence what the figure shows, in the numbers of the table', async () => {
  await openReport([row(1, 1, 2), row(2, 3, 0.5)])
  const figure = await view.findByRole('figure')
  expect(figure.querySelector('figcaption')?.textContent).toBe('Person 2 has the most time: 03:30 of 06:30.')
  const drawn = [...figure.querySelectorAll('text')].map((text) => text.textContent)
  expect(drawn).toEqual(['Person 2', '03:30', 'Person 1', '03:00'])
  for (const svg of figure.querySelectorAll('svg')) expect(svg.getAttribute('aria-hidden')).toBe('true')
})

it('leads from a row on under the filters in force', async () => {
  const table = await openReport([row(1, 1, 2)], '/dashboard/team-time?start=2026-03-01&end=2026-03-31')
  const period = 'start=2026-03-01&end=2026-03-31'
  expect(
    within(table)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual([
    `/advocate/1/time?${period}`,
    `/search?searchType=2&staff=1&${period}`,
    `/search?searchType=3&staff=1&${period}`,
  ])
})

it('says which days it shows where the period was cleared, and leads on under these', async () => {
  const { data } = reply([row(1, 1, 2)])
  const shown = { start: '2026-03-03', end: '2026-03-10' }
  fakeServer.use({ ...lookupHandlers, [GET]: { data: { ...data, period: shown } } })
  const screens = { 'team-time': contract.screens['team-time'] }
  await open(screens, '/dashboard/team-time?start=&end=', { contract, person: person([2]) })
  const table = await view.findByRole('table')
  expect(fakeServer.requestsTo(GET)[0].query).toEqual({})
  expect(view.getByText(/^Showing/).textContent).toBe('Showing 1 to 1 of 1, 3 March 2026 to 10 March 2026')
  expect(within(table).getByRole('link', { name: 'Person 1' }).getAttribute('href')).toBe(
    '/advocate/1/time?start=2026-03-03&end=2026-03-10',
  )
})

it('says as of when it is where it was read from a standby', async () => {
  const { data } = reply([row(1, 1, 2)])
  const screens = { 'team-time': contract.screens['team-time'] }
  fakeServer.use({ ...lookupHandlers, [GET]: { data: { ...data, as_at: '2026-03-10T10:42:00Z' } } })
  await open(screens, '/dashboard/team-time', { contract, person: person([2]) })
  await view.findByRole('table')
  expect(view.getByText(/^Showing/).textContent).toMatch(/, as at 10 March 2026, 10:42$/)
})

it('draws the largest twenty and says how many it leaves out; an empty report says so', async () => {
  await openReport(Array.from({ length: 23 }, (_, i) => row(i + 1, i, 0)))
  const figure = await view.findByRole('figure')
  expect(figure.textContent).toContain(
    'Person 23 has the most time: 22:00 of 253:00. The figure leaves out 3 with less.',
  )
  expect(figure.querySelectorAll('g')).toHaveLength(20)
})

it('says that there is nothing where all is nothing', async () => {
  await openReport([row(1, 0, 0), row(2, 0, 0)])
  expect((await view.findByRole('figure')).textContent).toContain('Nothing in this period.')
})
