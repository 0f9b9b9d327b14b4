import { screen as view, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { Group } from '../../src/contract/generated.ts'
import { formatWeek, weekOf } from '../../src/contract/week.ts'
import { openForm } from './openForm.tsx'

const options = [
  { value: 'email', label: 'Email' },
  { value: 'mon_am', label: 'Monday morning' },
  { value: 'mon_pm', label: 'Monday afternoon' },
  { value: 'thurs_am', label: 'Thursday morning' },
  { value: 'thurs_pm', label: 'Thursday afternoon' },
]
const groups: Group[] = [
  {
    name: 'touch',
    label: 'Touch',
    fields: [{ name: 'when', label: 'When', type: 'multiselect', attrs: { options } }],
  },
]

const openWeek = (readOnly = false) =>
  openForm([{ key: 's', at: '', groups }], { when: ['email', 'mon_am', 'mon_pm', 'thurs_pm'] }, { readOnly })

it('renders half days in a table, and other options outside of it', async () => {
  const { form } = openWeek()
  const table = view.getByRole('table')
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map((h) => h.textContent),
  ).toEqual(['Mon', 'Thu'])
  expect(
    within(table)
      .getAllByRole('rowheader')
      .map((h) => h.textContent),
  ).toEqual(['Morning', 'Afternoon'])
  expect(within(table).queryByRole('checkbox', { name: 'Email' })).toBeNull()
  expect(view.getByRole<HTMLInputElement>('checkbox', { name: 'Email' }).checked).toBe(true)
  const box = within(table).getByRole<HTMLInputElement>('checkbox', { name: 'Thursday morning' })
  expect(box.checked).toBe(false)
  await userEvent.click(box)
  expect(box.checked).toBe(true)
  expect(form.document().when).toEqual(['email', 'mon_am', 'mon_pm', 'thurs_pm', 'thurs_am'])
})

it('formats morning and afternoon of a day together', () => {
  openWeek(true)
  expect(view.getByText('Email, Monday morning and afternoon, Thursday afternoon')).toBeTruthy()
})

it('detects options that are not a week', () => {
  expect(
    weekOf([
      { value: 'team_am', label: 'Team A' },
      { value: 1, label: 'One' },
    ]),
  ).toBeUndefined()
  expect(formatWeek(weekOf(options)!, [])).toBe('')
})
