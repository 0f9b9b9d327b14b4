import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Field, FieldType, Group } from '../../src/contract/generated.ts'
import { visible } from '../../src/contract/visible.ts'
import type { Values } from '../../src/contract/when.ts'
import { today } from '../../src/engine/core/today.ts'
import type { FormSection } from '../../src/engine/form/FormView.tsx'
import { defaultsFor } from '../../src/engine/form/store/sections.ts'
import { fakeServer } from './fakeServer.ts'
import { field, openForm, section } from './openForm.tsx'
import { CASE_TYPES, lookupHandlers } from './product.ts'

const OPTIONS = [
  { value: 'a', label: 'Apple' },
  { value: 'b', label: 'Bread' },
  { value: 'old', label: 'Old', active: false },
]

beforeEach(() => fakeServer.use(lookupHandlers))

describe('a control', () => {
  const all: [FieldType, Field['attrs'], Partial<Field>?][] = [
    ['text', {}],
    ['textarea', {}],
    ['date', {}],
    ['datetime', {}],
    ['integer', {}],
    ['yesno', {}],
    ['select', { options: OPTIONS }],
    ['multiselect', { options: OPTIONS }],
    ['contact', {}],
    ['phone', {}],
    ['postcode', {}],
    ['duration', {}],
    ['decimal', {}],
    ['year', {}],
    ['month', {}],
    ['time', {}],
    ['scale', { min_text: 'Never' }],
    ['file', {}],
    ['repeat', { min: 1 }, { fields: [field('kind', 'text')] }],
  ]
  const SETS = ['yesno', 'scale', 'multiselect', 'month', 'contact', 'repeat']

  test.each(all)('%s has a label, a hint and an error', async (type, attrs, more) => {
    const { submit } = openForm(
      section([field('thing', type, { ...attrs, required: true, help: 'About it' }, more)]),
    )
    const control = document.getElementById('f.thing')!
    if (SETS.includes(type)) {
      expect(control.tagName).toBe('FIELDSET')
      expect(control.querySelector('legend')!.textContent).toBe('Thing')
    } else {
      expect(screen.getByLabelText('Thing')).toBe(control)
      expect(control.getAttribute('aria-required')).toBe('true')
    }
    expect(control.getAttribute('aria-describedby')).toBe('f.thing-hint')
    expect(document.getElementById('f.thing-hint')!.textContent).toBe('About it')
    expect(screen.queryByText('There is a problem')).toBeNull()

    const errors = submit()
    expect(Object.keys(errors)).toEqual(['thing'])
    expect(control.getAttribute('aria-describedby')).toBe('f.thing-hint f.thing-error')
    expect(document.getElementById('f.thing-error')!.textContent).toContain(errors.thing[0])
    if (!SETS.includes(type) || type === 'yesno') expect(control.getAttribute('aria-invalid')).toBe('true')
    const summary = screen.getByRole('alert')
    expect(document.activeElement).toBe(summary)
    fireEvent.click(within(summary).getByRole('link', { name: errors.thing[0] }))
    expect(control.contains(document.activeElement)).toBe(true)
  })

  test("yes or no offers 'Not known' only among its options", () => {
    const options = [
      { value: 'yes', label: 'Yes' },
      { value: 'no', label: 'No' },
    ]
    openForm(section([field('open', 'yesno', { options }), field('known', 'yesno')]))
    const offered = (name: RegExp) =>
      within(screen.getByRole('radiogroup', { name })).getAllByRole('radio').length
    expect([offered(/Open/), offered(/Known/)]).toEqual([2, 3])
  })

  test("yes or no leaves 'Not known' out where its field says so, but for who answered it", () => {
    const fields = [field('old', 'yesno', { known_only: true }), field('new', 'yesno', { known_only: true })]
    openForm(section(fields), { old: 'not_known' })
    const offered = (name: RegExp) =>
      within(screen.getByRole('radiogroup', { name })).getAllByRole('radio').length
    expect([offered(/Old/), offered(/New/)]).toEqual([3, 2])
  })

  test('labels optional fields as optional', () => {
    openForm(section([field('one', 'text', { required: true }), field('two', 'text')]))
    expect(screen.getByLabelText('One')).toBeTruthy()
    expect(screen.getByLabelText('Two (optional)')).toBeTruthy()
    expect(screen.getByRole('heading', { level: 2, name: 'Group' })).toBeTruthy()
  })
})

describe('values', () => {
  test('every widget writes a value of its type', async () => {
    const user = userEvent.setup()
    const { values } = openForm(
      section([
        field('text', 'text'),
        field('number', 'integer'),
        field('time', 'duration'),
        field('postcode', 'postcode'),
        field('yes', 'yesno'),
        field('one', 'select', { options: OPTIONS }),
        field('many', 'multiselect', { options: OPTIONS }),
        field('day', 'date'),
        field('moment', 'datetime'),
        field('who', 'contact'),
      ]),
    )
    const box = (name: string) => document.getElementById(`f.${name}`)!
    await user.type(box('text'), ' some words ')
    await user.type(box('number'), '1,200')
    await user.type(box('time'), '1.5h')
    await user.type(box('postcode'), 'al86aa')
    await user.click(screen.getByLabelText('Not known'))
    await user.selectOptions(box('one'), 'Bread')
    await user.click(screen.getByLabelText('Bread', { selector: 'input' }))
    fireEvent.change(box('day'), { target: { value: '2026-06-04' } })
    fireEvent.change(box('moment'), { target: { value: '2026-06-04T10:30' } })
    const inWords = (name: string) => box(name).parentElement!.querySelector('.date-words')?.textContent
    expect([inWords('day'), inWords('moment')]).toEqual(['Thursday 4 June 2026', 'Thursday 4 June 2026'])
    fireEvent.change(box('day'), { target: { value: '0202-06-04' } })
    expect(inWords('day')).toBe('Friday 4 June 0202')
    fireEvent.change(box('day'), { target: { value: '2026-06-04' } })
    await user.type(box('who.email'), 'a@b.org')
    expect(values()).toEqual({
      text: 'some words',
      number: 1200,
      time: 5400,
      postcode: 'AL8 6AA',
      yes: 'not_known',
      one: 'b',
      many: ['b'],
      day: '2026-06-04',
      moment: '2026-06-04T09:30:00.000Z',
      who: { email: 'a@b.org' },
    })
    expect((box('time') as HTMLInputElement).value).toBe('01:30')
    expect((box('postcode') as HTMLInputElement).value).toBe('AL8 6AA')
    await user.click(screen.getByRole('button', { name: 'Add 15 minutes to Time' }))
    expect(values().time).toBe(6300)
  })

  test('offers a retired option only if it is the value', () => {
    openForm(
      section([field('one', 'select', { options: OPTIONS }), field('two', 'select', { options: OPTIONS })]),
      {
        two: 'old',
      },
    )
    const words = (id: string) =>
      [...document.getElementById(id)!.querySelectorAll('option')].map((o) => o.textContent)
    expect(words('f.one')).toEqual(['Choose…', 'Apple', 'Bread'])
    expect(words('f.two')).toEqual(['Choose…', 'Apple', 'Bread', 'Old'])
  })

  test('starts empty: defaults are applied by the screen', () => {
    const sections = section([
      field('day', 'date', { default: 'today' }),
      field('weeks', 'integer', { default: 4 }),
    ])
    const { form, values } = openForm(sections)
    expect(values()).toEqual({})
    expect(form.isDirty()).toBe(false)
    expect(defaultsFor(sections)).toEqual({ day: today(), weeks: 4 })
  })

  test('merges values into the form, and tracks typed values as changes', async () => {
    const user = userEvent.setup()
    const { form, values } = openForm(
      section([field('one', 'text'), field('two', 'text')], { at: 'answers' }),
      { answers: { one: 'a' } },
    )
    await user.type(screen.getByLabelText(/^Two/), 'typed')
    act(() => form.merge({ answers: { one: 'b' } }))
    expect((screen.getByLabelText(/^One/) as HTMLInputElement).value).toBe('b')
    expect(values()).toEqual({ answers: { one: 'b', two: 'typed' } })
    expect(form.isDirty()).toBe(true)
    act(() => form.markSaved())
    expect(form.isDirty()).toBe(false)
  })

  test('validates only changed and revealed fields of an existing record', () => {
    const gap = field('gap', 'text', { required: true })
    const more = field('more', 'text', { required: true, when: { yes: 'yes' } })
    const { submit } = openForm(section([gap, field('yes', 'yesno'), more]), { yes: 'no' })
    expect(submit({ yes: 'no' })).toEqual({})
    fireEvent.click(screen.getByLabelText('Yes'))
    expect(Object.keys(submit({ yes: 'no' }))).toEqual(['more'])
    expect(Object.keys(submit())).toEqual(['gap', 'more'])
  })
})

describe('conditions', () => {
  const reason = field('reason', 'textarea', { required: true, when: { urgent: 'yes' } })

  test('a choice reveals dependent fields at once; hidden answers stay and are not validated', async () => {
    const user = userEvent.setup()
    const { form } = openForm(section([field('urgent', 'yesno'), reason]))
    expect(screen.queryByLabelText('Reason')).toBeNull()
    fireEvent.click(screen.getByLabelText('Yes'))
    await user.type(screen.getByLabelText('Reason'), 'x'.repeat(3))
    fireEvent.click(screen.getByLabelText('No'))
    expect(screen.queryByLabelText('Reason')).toBeNull()
    expect(form.document()).toEqual({ urgent: 'no', reason: 'xxx' })
    fireEvent.click(screen.getByLabelText('Yes'))
    expect((screen.getByLabelText('Reason') as HTMLTextAreaElement).value).toBe('xxx')
  })

  test('writes text at every key if a condition reads it, otherwise on blur', async () => {
    const { form } = openForm(
      section([
        field('code', 'text'),
        field('other', 'text'),
        field('more', 'text', { when: { code: 'ab' } }),
      ]),
    )
    fireEvent.change(screen.getByLabelText(/^Other/), { target: { value: 'typed' } })
    expect(form.document()).toEqual({})
    fireEvent.change(screen.getByLabelText(/^Code/), { target: { value: 'ab' } })
    expect(screen.getByLabelText(/^More/)).toBeTruthy()
    expect((screen.getByLabelText(/^Other/) as HTMLInputElement).value).toBe('typed')
    fireEvent.blur(screen.getByLabelText(/^Other/))
    expect(form.document()).toEqual({ code: 'ab', other: 'typed' })
  })

  test('typing renders neither other groups nor its own again', async () => {
    const user = userEvent.setup()
    const sections: FormSection[] = [
      {
        key: 's',
        at: '',
        groups: [1, 2].map((n) => ({ name: `g${n}`, label: `G${n}`, fields: [field(`f${n}`, 'text')] })),
      },
    ]
    const { form } = openForm(sections)
    const store = form as unknown as { groups: () => unknown[] }
    const [one, two] = store.groups()
    await user.type(screen.getByLabelText(/^F1/), 'abc')
    expect(store.groups()[0]).toBe(one)
    await user.tab()
    expect(store.groups()[0]).not.toBe(one)
    expect(store.groups()[1]).toBe(two)
  })

  test('resolves conditions within their own part of the document', () => {
    const inner: FormSection = {
      key: 'in',
      at: 'answers',
      groups: [
        {
          name: 'g',
          label: 'In',
          fields: [field('kind', 'text'), field('inner', 'text', { when: { kind: 'x' } })],
        },
      ],
      when: { 'record.open': true },
    }
    const sections = [...section([field('kind', 'text')]), inner]
    const { form } = openForm(
      sections,
      { kind: 'x', answers: { kind: 'y' } },
      { conditionContext: { record: { open: true } } },
    )
    expect(screen.queryByLabelText(/^Inner/)).toBeNull()
    act(() => form.merge({ answers: { kind: 'x' } }))
    expect(screen.getByLabelText(/^Inner/)).toBeTruthy()
  })
})

describe('validation errors', () => {
  test('appear once a changed control is left, go once it is valid, and include those of the server', async () => {
    const user = userEvent.setup()
    const { form } = openForm(
      section([
        field('day', 'text', { required: true, max_length: 3 }),
        field('other', 'text', { required: true }),
      ]),
    )
    await user.click(screen.getByLabelText('Day'))
    await user.tab()
    expect(document.getElementById('f.day-error')).toBeNull()
    await user.type(screen.getByLabelText('Day'), 'abcd')
    expect(document.getElementById('f.day-error')).toBeNull()
    await user.tab()
    expect(document.getElementById('f.day-error')!.textContent).toContain('3 characters or fewer')
    expect(document.getElementById('f.other-error')).toBeNull()
    await user.clear(screen.getByLabelText('Day'))
    await user.type(screen.getByLabelText('Day'), 'ab')
    await user.tab()
    expect(document.getElementById('f.day-error')).toBeNull()

    act(() => form.showErrors({ other: ['Taken'], elsewhere: ['Not on the page'] }))
    const summary = screen.getByRole('alert')
    expect(within(summary).getByRole('link', { name: 'Taken' })).toBeTruthy()
    expect(within(summary).getByText('Not on the page').closest('a')).toBeNull()
    expect(document.getElementById('f.other-error')!.textContent).toContain('Taken')
    await user.type(screen.getByLabelText('Other'), 'x')
    await user.tab()
    expect(document.getElementById('f.other-error')).toBeNull()
  })

  test('appear and go only after the click that left their field, so that the layout does not shift under it', async () => {
    const user = userEvent.setup()
    const { values } = openForm(section([field('day', 'text', { max_length: 3 }), field('ready', 'yesno')]))
    const message = () => document.getElementById('f.day-error')
    await user.type(screen.getByLabelText(/^Day/), 'abcd')
    await user.pointer({ keys: '[MouseLeft>]', target: screen.getByLabelText('Yes') })
    expect(message()).toBeNull()
    await act(() => user.pointer({ keys: '[/MouseLeft]' }))
    await waitFor(() => expect(message()).not.toBeNull())
    expect(values()).toMatchObject({ day: 'abcd', ready: 'yes' })

    await user.clear(screen.getByLabelText(/^Day/))
    await user.pointer({ keys: '[MouseLeft>]', target: screen.getByLabelText('No') })
    expect(message()).not.toBeNull()
    await act(() => user.pointer({ keys: '[/MouseLeft]' }))
    await waitFor(() => expect(message()).toBeNull())
    expect(values()).toMatchObject({ ready: 'no' })
  })
})

describe('repeat', () => {
  const family = field(
    'family',
    'repeat',
    {},
    {
      fields: [
        field('name', 'text', { required: true }),
        field('more', 'yesno'),
        field('what', 'text', { when: { more: 'yes' } }),
      ],
    },
  )

  test('adds, removes and announces rows; each evaluates its own conditions', async () => {
    const user = userEvent.setup()
    const { form, submit } = openForm(section([family], { at: 'answers' }))
    await user.click(screen.getByRole('button', { name: 'Add Family' }))
    await user.click(screen.getByRole('button', { name: 'Add Family' }))
    expect(screen.getByText('Family: row 2 added')).toBeTruthy()
    expect(document.activeElement!.id).toBe('f.answers.family.1.name')
    await user.type(document.getElementById('f.answers.family.1.name')!, 'Bea')
    const second = document.querySelector<HTMLElement>('[data-row="1"]')!
    fireEvent.click(within(second).getByLabelText('Yes'))
    expect(document.getElementById('f.answers.family.1.what')).toBeTruthy()
    expect(document.getElementById('f.answers.family.0.what')).toBeNull()
    const errors = submit()
    expect(Object.keys(errors)).toEqual(['answers.family.0.name'])
    await user.click(screen.getByRole('button', { name: 'Remove Family 1' }))
    expect(screen.getByText('Family: row 1 removed')).toBeTruthy()
    const rows = (form.document().answers as { family: Values[] }).family
    expect(rows).toEqual([{ row: expect.any(String), name: 'Bea', more: 'yes' }])
    expect(submit()).toEqual({})
  })
})

describe('the forms of the demo', () => {
  const metas = CASE_TYPES.flatMap((t) => [
    [`${t.label}, case`, t.case_meta],
    [`${t.label}, issue`, t.issue_meta],
  ]) as [string, Group[]][]

  test.each(metas)('%s renders every visible field and validates it', (_, groups) => {
    const { submit } = openForm([{ key: 'm', at: 'answers', groups }])
    for (const group of visible(groups, { answers: {} })) {
      expect(screen.getByRole('heading', { level: 2, name: group.label })).toBeTruthy()
      for (const { name } of group.fields)
        expect(document.getElementById(`f.answers.${name}`), name).toBeTruthy()
    }
    const errors = submit()
    expect(Object.keys(errors).length).toBeGreaterThan(0)
    for (const path of Object.keys(errors))
      expect(document.getElementById(`f.${path}-error`), path).toBeTruthy()
  })
})
