import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import type { Field } from '../../src/contract/generated.ts'
import { field, openForm, section } from './openForm.tsx'

const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name: new RegExp(name) })

describe('decimal numbers and money', () => {
  test('are written canonically when the box is left', async () => {
    const { values } = openForm(section([field('cost', 'money'), field('weight', 'decimal', { places: 1 })]))
    await userEvent.type(box('Cost'), '£1,234.5')
    expect(box('Cost').value).toBe('£1,234.5')
    await userEvent.tab()
    expect(box('Cost').value).toBe('1234.50')
    await userEvent.keyboard(' 12 ')
    expect(values()).toEqual({ cost: '1234.50', weight: '12.0' })
  })

  test('stay as they were typed where they are wrong, with a sentence', async () => {
    openForm(section([field('cost', 'money', { min: 10 })]))
    await userEvent.type(box('Cost'), '1,5')
    await userEvent.tab()
    expect(box('Cost').value).toBe('1,5')
    expect(document.getElementById('f.cost-error')!.textContent).toContain(
      'Cost must be an amount such as 12.50',
    )
    await userEvent.clear(box('Cost'))
    await userEvent.type(box('Cost'), '9.5')
    await userEvent.tab()
    expect(document.getElementById('f.cost-error')!.textContent).toContain('Cost must be 10 or more')
  })

  test('say their unit and currency to everybody', () => {
    openForm(
      section([field('cost', 'money', { help: 'In all' }), field('weight', 'decimal', { unit: 'kg' })]),
    )
    expect(box('Cost').getAttribute('aria-describedby')).toBe('f.cost-hint f.cost-unit')
    expect(document.getElementById('f.cost-unit')!.textContent).toBe('£')
    expect(document.getElementById('f.weight-unit')!.textContent).toBe('kg')
  })

  test('are shown as people write them', () => {
    const fields = [
      field('cost', 'money'),
      field('weight', 'decimal', { unit: 'kg' }),
      field('month', 'month'),
    ]
    openForm(section(fields), { cost: '1234.50', weight: '12.50', month: '2026-06' }, { readOnly: true })
    for (const text of ['£1,234.50', '12.50 kg', 'June 2026']) screen.getByText(text)
  })

  test('steer other fields while they are typed', async () => {
    const why: Field = field('why', 'text', { when: { cost: { min: 500 } } })
    openForm(section([field('cost', 'money'), why]))
    await userEvent.type(box('Cost'), '499.99')
    expect(screen.queryByRole('textbox', { name: /Why/ })).toBeNull()
    await userEvent.clear(box('Cost'))
    await userEvent.type(box('Cost'), '500')
    expect(box('Why')).toBeTruthy()
  })
})

describe('a month', () => {
  const month = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Month of Since' })
  const year = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Year of Since' })

  test('is chosen and typed with the keyboard', async () => {
    const { values } = openForm(section([field('since', 'month')]))
    await userEvent.tab()
    expect(document.activeElement).toBe(month())
    await userEvent.selectOptions(month(), 'June')
    await userEvent.tab()
    await userEvent.keyboard('2026')
    expect(values()).toEqual({ since: '2026-06' })
    await userEvent.clear(year())
    await userEvent.selectOptions(month(), 'Month')
    expect(values().since).toBeUndefined()
  })

  test('is wrong while one of its parts is missing, once it is left', async () => {
    openForm(section([field('since', 'month')]))
    await userEvent.selectOptions(month(), 'June')
    await userEvent.tab()
    expect(document.getElementById('f.since-error')).toBeNull()
    await userEvent.tab()
    expect(document.getElementById('f.since-error')!.textContent).toContain(
      'Since must be a month and a year such as June 2026',
    )
    expect(month().value).toBe('06')
  })
})

test.each([
  ['9:30', '09:30'],
  ['930', '09:30'],
  ['2.30 pm', '14:30'],
  ['12am', '00:00'],
  ['14', '14:00'],
  ['25:00', '25:00'],
  ['13pm', '13pm'],
  ['noon', 'noon'],
])('the time %s is written as %s', async (typed, written) => {
  const { values } = openForm(section([field('at', 'time')]))
  await userEvent.type(box('At'), typed)
  await userEvent.tab()
  expect(box('At').value).toBe(written)
  expect(values()).toEqual({ at: written })
  const isWrong = document.getElementById('f.at-error') !== null
  expect(isWrong).toBe(!/^\d\d:\d\d$/.test(written) || written > '24')
})

test('a year takes four digits', () => {
  const { submit } = openForm(section([field('built', 'year')]))
  fireEvent.change(box('Built'), { target: { value: '199' } })
  expect(submit().built).toEqual(['Built must be 1000 or more'])
})
