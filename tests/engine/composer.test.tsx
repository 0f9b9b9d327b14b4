import { act, cleanup, screen as view, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { relativeDay } from '../../src/contract/relativeDay.ts'
import { today } from '../../src/engine/core/today.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer } from './fakeServer.ts'
import { open, person } from './open.tsx'
import { lookupHandlers } from './product.ts'

// Loaded beforehand, so that no test waits for code.
await import('../../src/engine/kinds/figure/Figure.tsx')
await import('../../src/engine/kinds/list/CheckboxGroup.tsx')
await import('../../src/engine/kinds/views/ViewsDialog.tsx')

type Row = Record<string, unknown>

const GET = 'GET /api/reports/issues'
const ROUTE = '/reports/compose/issues'
const PERIOD = { start: '2026-01-01', end: '2026-03-31' }
const IN_PERIOD = 'start=2026-01-01&end=2026-03-31'

const reply = (data: Row[], totals: Row) => ({
  data: {
    data: data.map((row, i) => ({ id: i + 1, ...row })),
    totals,
    period: PERIOD,
    pagination: { p: 1, page_size: data.length, count: data.length, num_pages: 1 },
  },
})

async function openReport(search: string, data: Row[], totals: Row = {}, views: Row[] = []) {
  fakeServer.use({
    ...lookupHandlers,
    'GET /api/saved_views': { data: { data: views, pagination: {} } },
    [GET]: reply(data, totals),
  })
  const screens = { 'compose-issues': contract.screens['compose-issues'] }
  await open(screens, `${ROUTE}?${search}`, { contract, person: person([2]) })
  return view.findByRole('table')
}
const cells = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent))
const links = (table: HTMLElement) =>
  within(table)
    .queryAllByRole('link')
    .map((link) => link.getAttribute('href'))

it('asks for what its screen says until the address chooses something else', async () => {
  await openReport('', [{ label: '2026-01', by_value: '2026-01', issues: 3, people: 2, time: 3600 }])
  expect(fakeServer.requestsTo(GET)[0].query).toEqual({
    by: 'month',
    measures: 'issues,people,time',
    start: relativeDay('-365d', today()),
    end: today(),
  })
})

it('has a column for each dimension and number, each number leading to its rows', async () => {
  const search = `by=service&and=age&measures=issues,closed&contract=3&${IN_PERIOD}`
  const data = [
    { label: 'Care Act', and_label: 'Under 18', by_value: '4', and_value: 'Under 18', issues: 3, closed: 1 },
    { label: 'Care Act', and_label: 'Not said', by_value: '4', and_value: 'none', issues: 2, closed: 0 },
  ]
  const table = await openReport(search, data, { issues: 5, closed: 1 })
  expect(cells(table)).toEqual([
    ['Service', 'Age', 'Issues', 'Closed by now'],
    ['Care Act', 'Under 18', '3', '1'],
    ['Care Act', 'Not said', '2', '0'],
    ['Total', '', '5', '1'],
  ])
  expect(links(table)).toEqual([
    `/reports/issues?service=4&age=Under%2018&contract=3&${IN_PERIOD}`,
    `/reports/issues?service=4&age=Under%2018&contract=3&${IN_PERIOD}&state=closed`,
    `/reports/issues?service=4&age=none&contract=3&${IN_PERIOD}`,
    `/reports/issues?contract=3&${IN_PERIOD}`,
    `/reports/issues?contract=3&${IN_PERIOD}&state=closed`,
  ])
})

it('draws the first number, in series of the second dimension while these are few', async () => {
  const row = (service: string, state: string, issues: number) => ({
    label: service,
    and_label: state,
    by_value: service,
    and_value: state,
    issues,
  })
  await openReport(
    `by=service&and=state&measures=issues&${IN_PERIOD}`,
    [row('A', 'Open', 4), row('A', 'Closed', 1), row('B', 'Open', 6)],
    { issues: 11 },
  )
  const figure = await view.findByRole('figure')
  expect(figure.querySelector('figcaption')?.textContent).toBe('B has the most issues: 6 of 11.')
  expect([...figure.querySelectorAll('.figure-key li')].map((item) => item.textContent)).toEqual([
    'Open',
    'Closed',
  ])
  expect([...figure.querySelectorAll('text')].map((text) => text.textContent)).toEqual(['B', '6', 'A', '5'])
})

it('writes months in words, and links by what the reply calls them', async () => {
  const data = ['2026-01', '2026-02'].map((month, i) => ({ label: month, by_value: month, issues: i + 1 }))
  const table = await openReport(`by=month&measures=issues&${IN_PERIOD}`, data)
  expect(cells(table).map(([first]) => first)).toEqual(['Month', 'January 2026', 'February 2026', 'Total'])
  expect(links(table)[0]).toBe(`/reports/issues?month=2026-01&${IN_PERIOD}`)
  const figure = await view.findByRole('figure')
  expect(figure.querySelector('figcaption')?.textContent).toBe('Most issues in February 2026: 2 of 3.')
  expect(figure.textContent).toContain('January')
  expect(figure.textContent).not.toContain('January 2026')
})

it('names the years along an axis that passes from one to the next', async () => {
  const data = ['2025-11', '2025-12', '2026-01'].map((month) => ({
    label: month,
    by_value: month,
    issues: 1,
  }))
  await openReport(`by=month&measures=issues&${IN_PERIOD}`, data)
  const figure = await view.findByRole('figure')
  const drawn = [...figure.querySelectorAll('text')].map((text) => text.textContent)
  expect(drawn).toEqual(expect.arrayContaining(['November 2025', 'December 2025', 'January 2026']))
})

it('keeps the room of the figure while its code is read, as high as it will be', async () => {
  const data = ['2026-01', '2026-02'].map((month) => ({ label: month, by_value: month, issues: 1 }))
  const opened = openReport(`by=month&measures=issues&${IN_PERIOD}`, data)
  const room = () => Number.parseInt(document.querySelector<HTMLElement>('.list-figure')!.style.minHeight, 10)
  await expect.poll(room).toBe(270)
  await opened
  const kept = room()
  const drawing = (await view.findByRole('figure')).querySelector('svg[viewBox]')
  expect(kept).toBe(Number(drawing?.getAttribute('height')) + 50)
})

it('writes the months of series in words, and leaves what only looks like a month as it is', async () => {
  const data = ['2026-01', '2026-02'].map((month) => ({
    label: '2026-03',
    and_label: month,
    by_value: '4',
    and_value: month,
    issues: 2,
  }))
  const table = await openReport(`by=service&and=month&measures=issues&${IN_PERIOD}`, data)
  expect(cells(table)[1]).toEqual(['2026-03', 'January 2026', '2'])
  const figure = await view.findByRole('figure')
  expect([...figure.querySelectorAll('.figure-key li')].map((item) => item.textContent)).toEqual([
    'January 2026',
    'February 2026',
  ])
  expect(figure.querySelector('figcaption')?.textContent).toMatch(/^2026-03 has the most/)
})

it('draws no protected number as 0: a line has a gap, a bar has its words', async () => {
  const numbers = [20, 15, '5 or fewer', 10]
  const data = numbers.map((issues, i) => ({
    label: `2026-0${i + 1}`,
    by_value: `2026-0${i + 1}`,
    issues,
  }))
  const searchBy = (by: string) => `by=${by}&measures=issues&${IN_PERIOD}`
  await openReport(searchBy('month'), data)
  const line = await view.findByRole('figure')
  const [path] = line.querySelectorAll('.figure-line')
  expect(path.getAttribute('d')?.match(/M/g)).toHaveLength(2)
  expect(line.querySelector('figcaption')?.textContent).toMatch(/^Most .* in .*: 20\.$/)
  cleanup()
  await openReport(searchBy('service'), data)
  const bars = await view.findByRole('figure')
  const words = [...bars.querySelectorAll('text')].map((text) => text.textContent)
  expect(words.filter((_, i) => i % 2 === 1)).toEqual(['20', '15', '10', '5 or fewer'])
})

it('says that no number is large enough where all are protected', async () => {
  await openReport(`by=service&measures=issues&${IN_PERIOD}`, [
    { label: 'Care Act', by_value: '4', issues: '5 or fewer' },
  ])
  const figure = await view.findByRole('figure')
  expect(figure.querySelector('figcaption')?.textContent).toBe('No number is large enough to be drawn.')
})

it('draws one series for many values of a second dimension', async () => {
  const data = Array.from({ length: 5 }, (_, i) => ({
    label: 'A',
    and_label: `Area ${i}`,
    by_value: '1',
    and_value: String(i),
    issues: 2,
    people: 1,
  }))
  await openReport(`by=service&and=council_area&measures=issues,people&${IN_PERIOD}`, data, {
    issues: 10,
    people: 2,
  })
  const figure = await view.findByRole('figure')
  expect(figure.textContent).toContain('A has the most issues: 10 of 10.')
  expect(figure.querySelector('.figure-key')).toBe(null)
})

it('draws no people by two dimensions: one of them can be in both, and the bar would be too long', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const row = (state: string) => ({
    label: 'A',
    and_label: state,
    by_value: '1',
    and_value: state,
    people: 1,
  })
  await openReport(`by=service&and=state&measures=people&${IN_PERIOD}`, [row('open'), row('closed')], {
    people: 1,
  })
  // A figure is rendered a moment after its table.
  await act(() => vi.advanceTimersByTimeAsync(100))
  expect(view.queryByRole('figure')).toBe(null)
})

it('does not call an average a share of the total', async () => {
  await openReport(`by=service&measures=days&${IN_PERIOD}`, [{ label: 'A', by_value: '1', days: 12 }], {
    days: 9,
  })
  expect((await view.findByRole('figure')).querySelector('figcaption')?.textContent).toMatch(
    /^A has the most .*: 12\.$/,
  )
})

it('draws a single month as a bar, for a line needs two', async () => {
  await openReport(IN_PERIOD, [{ label: '2026-01', by_value: '2026-01', issues: 3, people: 2, time: 3600 }], {
    issues: 3,
  })
  const figure = await view.findByRole('figure')
  expect([figure.querySelectorAll('rect').length > 1, figure.querySelector('path.figure-line')]).toEqual([
    true,
    null,
  ])
})

it('takes what its address says wrongly as the screen has it', async () => {
  await openReport(`by=name&and=__proto__&measures=x&${IN_PERIOD}`, [
    { label: '2026-01', by_value: '2026-01', issues: 3, people: 2, time: 3600 },
  ])
  expect(fakeServer.requestsTo(GET)[0].query).toEqual({
    by: 'month',
    measures: 'issues,people,time',
    ...PERIOD,
  })
  const numbers = await view.findByRole('group', { name: 'Numbers' })
  expect(
    within(numbers)
      .getAllByRole<HTMLInputElement>('checkbox')
      .map(({ checked }) => checked),
  ).toEqual([true, true, false, false, true, false])
})

it('changes the columns with what is ticked, and keeps all of it in the address', async () => {
  const user = userEvent.setup()
  await openReport(IN_PERIOD, [
    { label: '2026-01', by_value: '2026-01', issues: 3, people: 2, time: 3600, days: 4 },
  ])
  const numbers = await view.findByRole('group', { name: 'Numbers' })
  const ticked = () =>
    within(numbers)
      .getAllByRole<HTMLInputElement>('checkbox')
      .flatMap((box) => (box.checked ? [box.parentElement!.textContent] : []))
  expect(ticked()).toEqual(['Issues', 'People', 'Time'])
  await user.click(within(numbers).getByLabelText('People'))
  await user.click(within(numbers).getByLabelText('Days to first contact'))
  await user.selectOptions(view.getByLabelText('And by'), 'Service')
  await user.click(view.getByRole('button', { name: 'Apply filters' }))
  await waitFor(() =>
    expect(fakeServer.requestsTo(GET).at(-1)!.query).toEqual({
      by: 'month',
      and: 'service',
      measures: 'issues,time,days',
      ...PERIOD,
    }),
  )
  const headings = within(await view.findByRole('table')).getAllByRole('columnheader')
  expect(headings.map((heading) => heading.textContent)).toEqual([
    'Month',
    'Service',
    'Issues',
    'Time',
    'Days to first contact',
  ])
  // What is counted is always something; what it is narrowed by can be taken off.
  const tags = within(view.getByRole('list', { name: 'Filtered by' })).getAllByRole('button')
  expect(tags.map((tag) => tag.textContent)).toEqual([
    'And by: Service',
    'From: 1 January 2026',
    'To: 31 March 2026',
    'Clear filters',
  ])
})

it('keeps the last measure checked, because a report always has one', async () => {
  const user = userEvent.setup()
  await openReport(`measures=time&${IN_PERIOD}`, [{ label: '2026-01', by_value: '2026-01', time: 3600 }])
  const time = within(await view.findByRole('group', { name: 'Numbers' })).getByLabelText<HTMLInputElement>(
    'Time',
  )
  await user.click(time)
  expect(time.checked).toBe(true)
})

it('shows no row under the columns of another report', async () => {
  const user = userEvent.setup()
  await openReport(IN_PERIOD, [{ label: '2026-01', by_value: '2026-01', issues: 3, people: 2, time: 3600 }])
  let answer: (reply: unknown) => void = () => undefined
  fakeServer.use({ [GET]: () => new Promise((resolve) => (answer = resolve)) as never })
  await user.selectOptions(view.getByLabelText('By'), 'Service')
  await user.click(view.getByRole('button', { name: 'Apply filters' }))
  await waitFor(() => expect(fakeServer.requestsTo(GET)).toHaveLength(2))
  expect(view.queryByRole('table')).toBe(null)
  answer(reply([{ label: 'Care Act', by_value: '4', issues: 3, people: 2, time: 3600 }], {}))
  const table = await view.findByRole('table')
  expect(cells(table)[1][0]).toBe('Care Act')
  expect(links(table)[0]).toBe(`/reports/issues?service=4&${IN_PERIOD}`)
})

it('offers views without a choice of columns: these follow from what is counted', async () => {
  const user = userEvent.setup()
  await openReport(IN_PERIOD, [{ label: '2026-01', by_value: '2026-01', issues: 3, people: 2, time: 3600 }])
  await user.click(view.getByRole('button', { name: 'Views' }))
  const dialog = await view.findByRole('dialog', { name: 'Views' })
  await within(dialog).findByText('Nobody has saved one for this list yet.')
  expect(within(dialog).queryByRole('heading', { name: 'Columns' })).toBe(null)
})

it('has the columns of what it counts, whatever an older view or this browser names', async () => {
  localStorage.setItem('columns.7.compose-issues', 'label')
  const query = { by: 'service', measures: 'issues', ...PERIOD }
  const old = { id: 3, version: 1, staff: 7, name: 'Old', shared: null, query, columns: 'label,time' }
  const search = `by=service&measures=issues&columns=label,time&view=3&${IN_PERIOD}`
  const table = await openReport(search, [{ label: 'Care Act', by_value: '4', issues: 3 }], {}, [old])
  expect(cells(table)).toEqual([
    ['Service', 'Issues'],
    ['Care Act', '3'],
  ])
  await view.findByText('Old')
  expect(view.queryByText(/changed/)).toBe(null)
  localStorage.clear()
})

it('shows protected numbers as texts that lead nowhere', async () => {
  const data = [
    {
      label: '2026-01',
      issues: '5 or fewer',
      people: '5 or fewer',
      closed: 0,
      outcomes: null,
      time: null,
      days: null,
    },
  ]
  fakeServer.use({ ...lookupHandlers, 'GET /api/reports/figures': reply(data, { issues: 15 }) })
  const screens = { 'commissioner-report': contract.screens['commissioner-report'] }
  for (const groups of [[5], [2, 5]]) {
    await open(screens, '/reports/commissioner', { contract, person: person(groups) })
    const table = (await view.findAllByRole('table')).at(-1)!
    expect([cells(table)[1], links(table)]).toEqual([
      ['January 2026', '5 or fewer', '5 or fewer', '0', '', '', ''],
      [],
    ])
  }
  expect(fakeServer.requestsTo('GET /api/reports/figures')[0].query).toEqual({
    by: 'month',
    period: 'last12',
  })
})
