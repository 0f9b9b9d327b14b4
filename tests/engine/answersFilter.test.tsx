// Loaded beforehand: its first import takes longer than a test waits.
import '../../src/engine/kinds/answers/Answers.tsx'
import { screen as view, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { contract } from '../loadedContract.ts'
import { fakeServer, page } from './fakeServer.ts'
import { open, person } from './open.tsx'
import { lookupHandlers } from './product.ts'

const user = userEvent.setup()
const CASES = 'POST /api/search/cases/'
const NAMES = [
  'search',
  'search-clients',
  'search-actions',
  'search-activities',
  'search-staff',
  'search-cases',
]
const screens = Object.fromEntries(NAMES.map((name) => [name, contract.screens[name]]))
const COMPLAINT = 'NHS complaints advocacy'

beforeEach(() => fakeServer.use({ ...lookupHandlers, [CASES]: page([]) }))

const openSearch = (answers = '') =>
  open(screens, `/search?searchType=5${answers && `&answers=${answers}`}`, { contract, person: person([4]) })
const add = async (name = 'Search by an answer') => user.click(await view.findByRole('button', { name }))
const row = (number: number) => within(view.getByRole('group', { name: `Answer ${number}` }))
const choose = async (number: number, question: string) => {
  await user.type(row(number).getByRole('combobox', { name: 'Question' }), `${question}{Enter}`)
}
const lastBody = () => fakeServer.requestsTo(CASES).at(-1)?.body

it('asks for words and searches by what was typed last, with Enter', async () => {
  const { address } = await openSearch()
  await add()
  await user.selectOptions(row(1).getByLabelText('Case type'), COMPLAINT)
  await choose(1, 'Organisation')
  await user.type(await row(1).findByLabelText('Words'), 'St. Mary{Enter}')
  const answers = '5.issue.organisation.contains.St~. Mary'
  await waitFor(() => expect(lastBody()).toEqual({ answers }))
  expect(new URLSearchParams(address().split('?')[1]).get('answers')).toBe(answers)
  const tag = await view.findByRole('button', { name: /remove this filter/ })
  expect(tag.textContent).toBe(`${COMPLAINT}: Organisation contains “St. Mary”`)
})

it('asks for choices by the widget of the question, and for several answers', async () => {
  await openSearch('5.issue.upheld.is.upheld')
  expect(await view.findByRole('button', { name: /is any of Upheld, remove this filter/ })).toBeTruthy()
  expect(((await row(1).findByRole('checkbox', { name: 'Upheld' })) as HTMLInputElement).checked).toBe(true)
  await user.click(row(1).getByRole('checkbox', { name: 'Not upheld' }))
  await add('Add another answer')
  await choose(2, 'Date referral received')
  await user.type(await row(2).findByLabelText(/^From/), '2026-01-02')
  await user.click(view.getByRole('button', { name: 'Search' }))
  const answers = '5.issue.upheld.is.upheld.not_upheld*5.case.date_received.between.2026-01-02.'
  await waitFor(() => expect(lastBody()).toEqual({ answers }))
  await user.click(await view.findByRole('button', { name: /from 2 January 2026, remove this filter/ }))
  await waitFor(() => expect(lastBody()).toEqual({ answers: answers.split('*')[0] }))
  await waitFor(() => expect(view.queryByRole('group', { name: 'Answer 2' })).toBeNull())
})

it('offers retired choices too, which are answers of older cases', async () => {
  const items = [
    { value: 1, label: 'Hospital' },
    { value: 2, label: 'Old clinic', active: false },
  ]
  fakeServer.use({ 'GET /referring_from_lookup/': { data: items } })
  await openSearch()
  await add()
  await user.selectOptions(row(1).getByLabelText('Case type'), COMPLAINT)
  await choose(1, 'Referred by')
  await user.click(await row(1).findByRole('checkbox', { name: 'Old clinic (no longer offered)' }))
  await user.click(view.getByRole('button', { name: 'Search' }))
  await waitFor(() => expect(lastBody()).toEqual({ answers: '5.case.referring_from.is.2' }))
})

it('offers only questions that may be searched, and says which rows cannot be used', async () => {
  await openSearch()
  await add()
  await user.click(view.getByRole('button', { name: 'Search' }))
  expect((await row(1).findByRole('alert')).textContent).toMatch(/Choose a case type and a question/)
  await user.selectOptions(row(1).getByLabelText('Case type'), COMPLAINT)
  await user.type(row(1).getByRole('combobox', { name: 'Question' }), 'risk')
  expect(row(1).queryAllByRole('option', { name: /risk/i })).toEqual([])
  expect(lastBody()).toBeUndefined()
  await user.click(row(1).getByRole('button', { name: /^Remove/ }))
  expect(view.queryByRole('group', { name: 'Answer 1' })).toBeNull()
})

it('takes off a question that is no longer searched, and an address that nobody wrote', async () => {
  await openSearch('5.case.risk_summary.contains.x')
  await user.click(
    await view.findByRole('button', { name: /can no longer be searched .*remove this filter/ }),
  )
  expect(await view.findByText('Fill in at least one field')).toBeTruthy()
})
