import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Values } from '../../src/contract/when.ts'
import { field, openForm, section } from './openForm.tsx'

const stays = field(
  'stays',
  'repeat',
  {},
  {
    fields: [
      field('ward', 'text'),
      field('closed', 'yesno'),
      field(
        'visits',
        'repeat',
        { max: 3 },
        {
          fields: [
            field('time', 'integer'),
            field('who', 'text', { required: true, when: { closed: 'no', urgent: 'yes' } }),
          ],
        },
      ),
      field('minutes', 'integer', { calc: 'sum', of: ['visits.time'] }),
    ],
  },
)

const open = (rows: Values[] = [], urgent = 'yes') =>
  openForm(section([field('urgent', 'yesno'), stays], { at: 'answers' }), {
    answers: { urgent, stays: rows },
  })
const control = (path: string) => document.getElementById(`f.answers.stays.${path}`) as HTMLInputElement
const rowOf = (path: string) => control(path).closest<HTMLElement>('[data-row]')!

test('rows are added in a row, removed from it, and announced; the focus goes to the new one', async () => {
  const user = userEvent.setup()
  const { form } = open([{ row: 'a' }, { row: 'b', visits: [{ row: 'v' }] }])
  const first = rowOf('0.ward')
  await user.click(within(first).getByRole('button', { name: 'Add Visits' }))
  expect(screen.getByText('Visits: row 1 added')).toBeTruthy()
  expect(document.activeElement).toBe(control('0.visits.0.time'))
  await user.keyboard('5')
  await user.click(within(first).getByRole('button', { name: 'Add Visits' }))
  expect(document.activeElement).toBe(control('0.visits.1.time'))
  await user.click(within(first).getByRole('button', { name: 'Remove Visits 2' }))
  expect(document.activeElement).toBe(within(first).getByRole('button', { name: 'Add Visits' }))
  await user.click(screen.getByRole('button', { name: 'Add Stays' }))
  expect(document.activeElement).toBe(control('2.ward'))
  expect(form.document().answers).toMatchObject({
    stays: [{ row: 'a', visits: [{ time: 5 }] }, { row: 'b', visits: [{ row: 'v' }] }, {}],
  })
  await user.click(within(first).getByRole('button', { name: 'Add Visits' }))
  await user.click(within(first).getByRole('button', { name: 'Add Visits' }))
  expect(within(first).queryByRole('button', { name: 'Add Visits' })).toBeNull()
})

test('what a row in a row asks hangs on the row around it and on the form', async () => {
  const user = userEvent.setup()
  const visits = [{ row: 'v' }]
  const { submit } = open([
    { row: 'a', closed: 'no', visits },
    { row: 'b', closed: 'yes', visits },
  ])
  expect(control('0.visits.0.who')).toBeTruthy()
  expect(control('1.visits.0.who')).toBeNull()
  expect(submit()).toEqual({ 'answers.stays.0.visits.0.who': ['Answer “Who”'] })
  expect(control('0.visits.0.who').getAttribute('aria-invalid')).toBe('true')
  await user.click(within(rowOf('1.ward')).getByLabelText('No'))
  await waitFor(() => expect(control('1.visits.0.who')).toBeTruthy())
  await user.click(within(screen.getByRole('radiogroup', { name: /^Urgent/ })).getByLabelText('No'))
  await waitFor(() => expect(control('0.visits.0.who')).toBeNull())
})

test('a sum of the rows in a row follows what is typed there', async () => {
  const user = userEvent.setup()
  open([{ row: 'a', visits: [{ row: 'v', time: 10 }, { row: 'w' }] }])
  const sum = () => document.querySelector('output')!.textContent
  expect(sum()).toBe('10')
  await user.type(control('0.visits.1.time'), '25')
  await user.tab()
  await waitFor(() => expect(sum()).toBe('35'))
})

test('adding a row keeps text that is still debounced', async () => {
  const { form } = open([{ row: 'a' }])
  await userEvent.type(control('0.ward'), 'Oak')
  // As voice control does: the text field is not left before.
  act(() => screen.getByRole('button', { name: 'Add Stays' }).click())
  expect(form.document().answers).toMatchObject({ stays: [{ row: 'a', ward: 'Oak' }, {}] })
})
