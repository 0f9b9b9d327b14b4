import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { Field } from '../../src/contract/generated.ts'
import { today } from '../../src/engine/core/today.ts'
import { openConstructor, preview, serveConstructor, settings, structure } from './constructorContext.tsx'
import { fakeServer } from './fakeServer.ts'
import { field, openForm, section } from './openForm.tsx'
import { lookupHandlers } from './product.ts'

beforeEach(() => fakeServer.use(lookupHandlers))

const outputOf = (label: string) => screen.getByLabelText(label).textContent

test('a calculated value follows what is typed, steers conditions, and is not part of the document', async () => {
  const user = userEvent.setup()
  const { values, submit } = openForm(
    section([
      field('received', 'date'),
      field('due', 'date', { calc: 'add_working_days', of: ['received', 10] }),
      field('hours', 'integer'),
      field('rate', 'integer'),
      field('cost', 'integer', { calc: 'multiply', of: ['hours', 'rate'] }),
      field('why', 'text', { when: { cost: { min: 100 } }, required: true }),
    ]),
    { due: '1999-01-01', rate: 20 },
  )
  expect(outputOf('Due')).toBe('Not known yet')
  expect(screen.getByLabelText('Due').tagName).toBe('OUTPUT')
  expect(screen.queryByLabelText('Why')).toBeNull()
  await user.type(screen.getByLabelText(/^Hours/), '5')
  await waitFor(() => expect(outputOf('Cost')).toBe('100'))
  expect(screen.getByLabelText('Why')).toBeTruthy()
  expect(Object.keys(submit())).toEqual(['why'])
  await user.clear(screen.getByLabelText(/^Hours/))
  await waitFor(() => expect(outputOf('Cost')).toBe('Not known yet'))
  expect(screen.queryByLabelText('Why')).toBeNull()
  expect(values()).toEqual({ due: '1999-01-01', rate: 20 })
})

test('what depends on today is as of today, and a change of it alone is nothing to save', () => {
  const { form } = openForm(
    section([
      field('received', 'date'),
      field('waiting', 'integer', { calc: 'days_between', of: ['received', '$today'] }),
    ]),
    { received: today() },
  )
  expect(outputOf('Waiting')).toBe('0')
  expect(form.isDirty()).toBe(false)
})

test('rows of a repeat calculate with their own columns and with what stands around them', async () => {
  const user = userEvent.setup()
  openForm(
    section([
      field('rate', 'integer'),
      field('double_rate', 'integer', { calc: 'multiply', of: ['rate', 2] }),
      field(
        'trips',
        'repeat',
        {},
        {
          fields: [
            field('miles', 'integer'),
            field('cost', 'integer', { calc: 'multiply', of: ['miles', 'double_rate'] }),
            field('far', 'text', { when: { cost: { min: 50 } } }),
          ],
        },
      ),
      field('all', 'integer', { calc: 'sum', of: ['trips.cost'] }),
    ]),
    { rate: 2, double_rate: 999, trips: [{ row: 'r1', miles: 3, cost: 1 }, { row: 'r2' }] },
  )
  const rows = screen.getAllByRole('group').filter((one) => one.hasAttribute('data-row'))
  expect(within(rows[0]).getByLabelText('Cost').textContent).toBe('12')
  expect(outputOf('All')).toBe('12')
  await user.type(within(rows[1]).getByLabelText(/^Miles/), '20')
  await waitFor(() => expect(outputOf('All')).toBe('92'))
  expect(within(rows[1]).getByLabelText('Cost').textContent).toBe('80')
  expect(within(rows[1]).getByLabelText(/^Far/)).toBeTruthy()
  expect(within(rows[0]).queryByLabelText(/^Far/)).toBeNull()
})

test('working days with a calendar follow the council area of the form, and count no bank holiday', async () => {
  const user = userEvent.setup()
  const areas = [
    { value: 1, label: 'Essex' },
    { value: 2, label: 'Fife' },
  ]
  const due: Field['attrs'] = { calc: 'add_working_days', of: ['received', 1], calendar: true }
  const calendars = {
    standard: 1,
    areas: { 2: 2 },
    days: { 1: ['2027-01-01'], 2: ['2027-01-01', '2027-01-04'] },
  }
  openForm(
    [
      ...section([field('council_area', 'select', { options: areas })]),
      ...section([field('received', 'date'), field('due', 'date', due)], { key: 't', at: 'answers' }),
    ],
    { answers: { received: '2026-12-31' } },
    { conditionContext: { with: { caseType: { calendars }, case: { council_area: 2 } } } },
  )
  expect(outputOf('Due')).toBe('5 January 2027')
  await user.selectOptions(screen.getByLabelText(/^Council area/), 'Essex')
  await waitFor(() => expect(outputOf('Due')).toBe('4 January 2027'))
  await user.selectOptions(screen.getByLabelText(/^Council area/), 'Fife')
  await waitFor(() => expect(outputOf('Due')).toBe('5 January 2027'))
})

test('an administrator lets a calculation leave out bank holidays', async () => {
  serveConstructor()
  const { user } = await openConstructor()
  for (const label of ['Received', 'Due']) {
    await user.click(structure().getByRole('button', { name: 'Add field to Referral' }))
    await user.type(settings().getByLabelText('Label'), label)
    await user.click(settings().getByLabelText(/^Date(?! and)/))
    await user.click(settings().getByRole('button', { name: 'Add field' }))
  }
  expect(settings().queryByLabelText('Leave out bank holidays')).toBeNull()
  const choices = settings().getByLabelText('How it is answered')
  const working = within(choices).getByRole('option', { name: /^Calculated: Date and working days/ })
  await user.selectOptions(choices, working)
  await user.selectOptions(settings().getByLabelText('Value 1'), 'Received')
  await user.selectOptions(settings().getByLabelText('Value 2'), 'A number')
  await user.click(settings().getByLabelText('Leave out bank holidays'))
  expect(settings().getByText("0 working days after 'Received', without bank holidays")).toBeTruthy()
  await user.selectOptions(choices, 'People fill it in')
  expect(settings().queryByLabelText('Leave out bank holidays')).toBeNull()
})

test('an administrator makes a calculated field by keyboard, and the preview calculates it', async () => {
  serveConstructor()
  const { user } = await openConstructor()
  await user.click(structure().getByRole('button', { name: 'Add field to Referral' }))
  await user.type(settings().getByLabelText('Label'), 'Visits')
  await user.click(settings().getByLabelText(/^Number/))
  await user.click(settings().getByRole('button', { name: 'Add field' }))
  await user.click(structure().getByRole('button', { name: 'Add field to Referral' }))
  await user.type(settings().getByLabelText('Label'), 'Hours')
  await user.click(settings().getByLabelText(/^Number/))
  await user.click(settings().getByRole('button', { name: 'Add field' }))
  await user.selectOptions(
    settings().getByLabelText('How it is answered'),
    'Calculated: Multiply – multiplied once all are answered',
  )
  expect(settings().queryByRole('radiogroup', { name: 'Required' })).toBeNull()
  await user.selectOptions(settings().getByLabelText('Value 1'), 'Visits')
  expect(settings().getByText(/Choose what 'Hours' is calculated from/)).toBeTruthy()
  await user.selectOptions(settings().getByLabelText('Value 2'), 'A number')
  await user.clear(settings().getByLabelText('Number 2'))
  await user.type(settings().getByLabelText('Number 2'), '3')
  expect(settings().queryByText(/Choose what 'Hours'/)).toBeNull()
  expect(settings().getByText("'Visits' × 3")).toBeTruthy()
  await user.clear(settings().getByLabelText('Number 2'))
  expect(settings().getByText('Enter a number')).toBeTruthy()
  await user.type(settings().getByLabelText('Number 2'), '-3')
  expect(settings().getByText("'Visits' × -3")).toBeTruthy()
  await user.clear(settings().getByLabelText('Number 2'))
  await user.type(settings().getByLabelText('Number 2'), '3')
  await user.type(preview().getByLabelText(/^Visits/), '4')
  await waitFor(() => expect(preview().getByLabelText('Hours').textContent).toBe('12'))
})
