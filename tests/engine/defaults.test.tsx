import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { FieldAttrs } from '../../src/contract/generated.ts'
import { visibleValues } from '../../src/engine/form/store/visibleValues.ts'
import {
  openConstructor,
  preview,
  row,
  serveConstructor,
  settings,
  structure,
} from './constructorContext.tsx'
import { fakeServer } from './fakeServer.ts'
import { field, openForm, section } from './openForm.tsx'
import { lookupHandlers } from './product.ts'

const begins = (preset: object) => ({ default: preset }) as FieldAttrs
const box = (label: RegExp) => screen.getByLabelText(label) as HTMLInputElement

const fields = [
  field('received', 'date'),
  field('due', 'date', begins({ calc: 'add_days', of: ['received', 10] })),
  field('postcode', 'postcode', begins({ from: '$client.postcode' })),
  field('name', 'text'),
  field('called', 'text', begins({ from: '$name' })),
  field('origin', 'text', { hidden: true, default: 'letter' }),
  field('why', 'text', { when: { called: 'Ann', origin: 'letter' }, required: true }),
]
const conditionContext = { with: { client: { postcode: 'SW1A 1AA' } }, withDefaults: true }

test('a default follows its sources until the person changes the field', async () => {
  const user = userEvent.setup()
  const { values, form, submit } = openForm(section(fields), {}, { conditionContext })
  expect(box(/^Postcode/).value).toBe('SW1A 1AA')
  await user.type(box(/^Name/), 'Ann')
  await waitFor(() => expect(box(/^Called/).value).toBe('Ann'))
  expect(Object.keys(submit())).toEqual(['why'])
  await user.type(box(/^Called/), 'ie')
  await user.type(box(/^Name/), 'a')
  expect(box(/^Called/).value).toBe('Annie')
  expect(screen.queryByLabelText(/^Why/)).toBeNull()
  expect(values()).toEqual({ name: 'Anna', called: 'Annie' })
  expect(form.isDirty()).toBe(true)
})

test('a default that was taken away does not come back', async () => {
  const user = userEvent.setup()
  const { values } = openForm(section(fields), { name: 'Ann' }, { conditionContext })
  await user.clear(box(/^Called/))
  await user.type(box(/^Name/), 'a')
  expect(box(/^Called/).value).toBe('')
  expect(values()).toEqual({ name: 'Anna', called: null })
})

test('what is offered alone is nothing to save, and a stored record is offered nothing', () => {
  const { form, unmount } = openForm(section(fields), { name: 'Ann' }, { conditionContext })
  expect(box(/^Called/).value).toBe('Ann')
  expect(form.isDirty()).toBe(false)
  unmount()
  openForm(section(fields), { name: 'Ann' }, { conditionContext: { with: conditionContext.with } })
  expect(box(/^Called/).value).toBe('')
})

test('a hidden default counts in a stored record from the change on that first shows it, and not before', async () => {
  const user = userEvent.setup()
  const asked = section([
    field('urgent', 'yesno'),
    field('origin', 'text', { hidden: true, default: 'letter', when: { urgent: 'yes' } }),
    field('why', 'text', { when: { origin: 'letter' }, required: true }),
    field('since', 'text', { hidden: true, default: 'now' }),
    field('then', 'text', { when: { since: 'now' } }),
  ])
  const { submit } = openForm(asked, { urgent: 'no' }, { isStored: true })
  expect(screen.queryByLabelText(/^Why/)).toBeNull()
  await user.click(screen.getByLabelText('Yes'))
  await waitFor(() => expect(screen.getByLabelText(/^Why/)).toBeTruthy())
  expect(Object.keys(submit({ urgent: 'no' }))).toEqual(['why'])
  expect(screen.queryByLabelText(/^Then/)).toBeNull()
})

test('what is hidden is not drawn, nor a group of nothing else', () => {
  const sections = section(fields)
  const group = { name: 'h', label: 'Never seen', fields: [fields[5]] }
  openForm([{ ...sections[0], groups: [...sections[0].groups, group] }], {}, { conditionContext })
  expect(screen.queryByText('Origin')).toBeNull()
  expect(screen.queryByText('Never seen')).toBeNull()
  expect(screen.getByText('Group')).toBeTruthy()
})

test('what is saved are the defaults as they are, and what those of hidden fields show', () => {
  const document = { name: 'Ann', postcode: null, why: 'A letter' }
  expect(visibleValues(section(fields), document, conditionContext)).toEqual({
    name: 'Ann',
    called: 'Ann',
    origin: 'letter',
    why: 'A letter',
  })
})

test('and not shown where a record is read', () => {
  openForm(section(fields), { name: 'Ann', origin: 'phone' }, { readOnly: true })
  expect(screen.queryByText('Origin')).toBeNull()
  expect(screen.getByText('Ann')).toBeTruthy()
})

test('an administrator says what a field begins as, and hides one', async () => {
  fakeServer.use(lookupHandlers)
  serveConstructor()
  const { user } = await openConstructor()
  const add = async (label: string, type: RegExp) => {
    await user.click(structure().getByRole('button', { name: 'Add field to Referral' }))
    await user.type(settings().getByLabelText('Label'), label)
    await user.click(settings().getByLabelText(type))
    await user.click(settings().getByRole('button', { name: 'Add field' }))
  }
  await add('Visits', /^Number/)
  await add('Hours', /^Number/)
  await user.selectOptions(settings().getByLabelText('How it begins'), 'The same as another answer')
  expect(settings().getByText("Choose what 'Hours' begins as")).toBeTruthy()
  await user.selectOptions(settings().getByLabelText('Begins as'), 'Visits')
  expect(settings().queryByText(/Choose what 'Hours'/)).toBeNull()
  await user.type(preview().getByLabelText(/^Visits/), '4')
  await waitFor(() => expect((preview().getByLabelText(/^Hours/) as HTMLInputElement).value).toBe('4'))

  await user.selectOptions(
    settings().getByLabelText('How it begins'),
    'Calculated: Multiply – multiplied once all are answered',
  )
  await user.selectOptions(settings().getByLabelText('Value 1'), 'Visits')
  await user.selectOptions(settings().getByLabelText('Value 2'), 'A number')
  await user.clear(settings().getByLabelText('Number 2'))
  await user.type(settings().getByLabelText('Number 2'), '3')
  await waitFor(() => expect((preview().getByLabelText(/^Hours/) as HTMLInputElement).value).toBe('12'))

  await user.click(settings().getByLabelText(/^Hidden/))
  expect(preview().queryByLabelText(/^Hours/)).toBeNull()
  expect(structure().getByRole('button', { name: /^Hours.*hidden/ })).toBeTruthy()
  expect(preview().getByText('Why? Hours is hidden with these sample answers.')).toBeTruthy()
  await user.selectOptions(settings().getByLabelText('How it begins'), 'Empty, or as a value of your own')
  expect(settings().getByText(/'Hours' is hidden, so nobody can answer it/)).toBeTruthy()
})

test('an administrator says that a field begins as something of the client', async () => {
  fakeServer.use(lookupHandlers)
  serveConstructor()
  const { user } = await openConstructor()
  await user.click(row('Ward'))
  const begins = () => settings().getByLabelText<HTMLSelectElement>('How it begins')
  const offered = (select: HTMLSelectElement) => [...select.options].map(({ label }) => label)
  expect(offered(begins())).not.toContain('From the case')
  await user.selectOptions(begins(), 'From the client')
  expect(settings().getByText("Choose what 'Ward' begins as")).toBeTruthy()
  const from = settings().getByLabelText<HTMLSelectElement>('Begins as')
  expect(offered(from)).toContain("Client's first name")
  expect(offered(from)).not.toContain('Why urgent')
  await user.selectOptions(from, "Client's first name")
  expect(begins().selectedOptions[0].label).toBe('From the client')
  await user.selectOptions(begins(), 'From last time')
  expect(offered(settings().getByLabelText<HTMLSelectElement>('Begins as')).slice(0, 2)).toEqual([
    'Choose an answer',
    "Last time's Why urgent",
  ])
  await user.selectOptions(begins(), 'The same as another answer')
  expect(offered(settings().getByLabelText<HTMLSelectElement>('Begins as'))).not.toContain(
    "Last time's Why urgent",
  )
})
