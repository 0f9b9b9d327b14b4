// @vitest-environment jsdom

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen as view, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import type { Group } from '../../src/contract/generated.ts'
import { formatWeek, weekOf } from '../../src/contract/week.ts'
import { FormView } from '../../src/engine/form/FormView.tsx'
import type { FormHandle } from '../../src/engine/form/store.ts'
import { ContractContext } from '../../src/engine/runtime/contract.ts'
import { contract } from './context.tsx'

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

afterEach(cleanup)

function show(readOnly = false) {
  const form: { current: FormHandle | null } = { current: null }
  render(
    <ContractContext value={contract}>
      <QueryClientProvider client={new QueryClient()}>
        <FormView
          ref={form}
          sections={[{ key: 's', at: '', groups }]}
          initial={{ when: ['email', 'mon_am', 'mon_pm', 'thurs_pm'] }}
          conditionContext={{}}
          readOnly={readOnly}
        />
      </QueryClientProvider>
    </ContractContext>,
  )
  return form
}

it('asks for half days in a table, and for the others beside each other', async () => {
  const form = show()
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
  expect(form.current?.document().when).toEqual(['email', 'mon_am', 'mon_pm', 'thurs_pm', 'thurs_am'])
})

it('says a whole day in one', () => {
  show(true)
  expect(view.getByText('Email, Monday morning and afternoon, Thursday afternoon')).toBeTruthy()
})

it('knows choices that are no week', () => {
  expect(
    weekOf([
      { value: 'team_am', label: 'Team A' },
      { value: 1, label: 'One' },
    ]),
  ).toBeUndefined()
  expect(formatWeek(weekOf(options)!, [])).toBe('')
})
