import Form from '@rjsf/core'
import type { RJSFSchema, UiSchema } from '@rjsf/utils'
import validator from '@rjsf/validator-ajv8'
import { screen as view, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { FIELD_TYPES } from '../../src/contract/fieldTypes.ts'
import type { Field, FieldType } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { templates, widgets } from '../../src/engine/form/theme/theme.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer } from './fakeServer.ts'
import { openElement } from './open.tsx'
import { field } from './openForm.tsx'

const COLOURS = { options: ['red', 'green', 'blue'].map((value) => ({ value, label: `The ${value} one` })) }
const COLUMNS = [field('who', 'text'), field('ring', 'phone')]
const typing = (text: string) => async () => userEvent.type(view.getByLabelText(/^Answer/), text)
const press = (name: string) => async () => userEvent.click(view.getByLabelText(name))
const upload = {
  'POST /api/files': { status: 201, data: { id: 7 } },
  'GET /api/files/7/info': { data: { id: 7, name: 'a.pdf' } },
  'GET /api/files/7': { data: new Blob(['picture'], { type: 'image/png' }) },
}

interface Answer {
  attrs?: Field['attrs']
  fill: () => Promise<unknown>
  value: unknown
}

/** What a person does, and the value that is submitted then, for types whose example is not typed as it is stored. */
const ANSWERS: Partial<Record<FieldType, Answer>> = {
  text: { fill: typing('Some text'), value: 'Some text' },
  textarea: { fill: typing('Several{Enter}lines'), value: 'Several\nlines' },
  yesno: { fill: press('Yes'), value: 'yes' },
  select: {
    attrs: COLOURS,
    fill: () => userEvent.selectOptions(view.getByLabelText(/^Answer/), 'The green one'),
    value: 'green',
  },
  multiselect: {
    attrs: COLOURS,
    fill: async () => {
      await userEvent.click(view.getByLabelText('The red one'))
      await userEvent.click(view.getByLabelText('The blue one'))
    },
    value: ['red', 'blue'],
  },
  date: { fill: typing('2026-06-04'), value: '2026-06-04' },
  datetime: { fill: typing('2026-06-04T10:42'), value: '2026-06-04T09:42:00.000Z' },
  integer: { fill: typing('1,200'), value: 1200 },
  scale: { fill: press('7'), value: 7 },
  duration: { fill: typing('1:30'), value: 5400 },
  decimal: { fill: typing('1,234.5'), value: '1234.50' },
  money: { fill: typing('12'), value: '12.00' },
  year: { fill: typing('2026'), value: 2026 },
  month: {
    fill: async () => {
      await userEvent.selectOptions(view.getByLabelText('Month of Answer'), 'June')
      await userEvent.type(view.getByLabelText('Year of Answer'), '2026')
    },
    value: '2026-06',
  },
  time: { fill: typing('2:30 pm'), value: '14:30' },
  phone: { fill: typing('020 7946 0000'), value: '020 7946 0000' },
  postcode: { fill: typing('sw1a1aa'), value: 'SW1A 1AA' },
  contact: {
    fill: async () => {
      await userEvent.type(view.getByLabelText(/^Name/), 'Ann Ash')
      await userEvent.type(view.getByLabelText(/^Email/), 'ann@example.org')
    },
    value: { name: 'Ann Ash', email: 'ann@example.org' },
  },
  uk_address: {
    fill: async () => {
      await userEvent.type(view.getByLabelText(/^Address line 1/), '10 Downing Street')
      await userEvent.type(view.getByLabelText(/^Town/), 'London')
      await userEvent.type(view.getByLabelText(/^Postcode/), 'sw1a2aa')
    },
    value: { line_1: '10 Downing Street', town: 'London', postcode: 'SW1A 2AA' },
  },
  file: {
    fill: async () => {
      fakeServer.use(upload)
      await userEvent.upload(view.getByLabelText(/^Answer/), new File(['x'], 'a.pdf'))
      await view.findByText('a.pdf is uploaded')
    },
    value: 7,
  },
  signature: {
    fill: async () => {
      fakeServer.use(upload)
      // jsdom has no canvas.
      const canvas = HTMLCanvasElement.prototype
      vi.spyOn(canvas, 'getContext').mockReturnValue({ fillRect: vi.fn(), fillText: vi.fn() } as never)
      vi.spyOn(canvas, 'toBlob').mockImplementation((done) => done(new Blob(['picture'])))
      await userEvent.type(await view.findByLabelText('Or type the name to sign with'), 'Ann')
      await userEvent.click(view.getByLabelText('Use this signature: Answer'))
      await view.findByLabelText('Sign again: Answer')
    },
    value: 7,
  },
  note: { fill: async () => view.getByRole('note'), value: undefined },
  repeat: {
    fill: async () => {
      await userEvent.click(view.getByLabelText('Add Answer'))
      await userEvent.type(view.getByLabelText(/^Who/), 'Ben')
      await userEvent.click(view.getByLabelText('Add Answer'))
      await userEvent.type(within(view.getByRole('group', { name: 'Answer 2' })).getByLabelText(/^Who/), 'Cy')
      await userEvent.click(view.getByLabelText('Remove Answer 1'))
    },
    value: [{ who: 'Cy' }],
  },
}

/** The schema of a field for rjsf, whose rows all have the same columns. */
function schemaOf(field: Field): RJSFSchema {
  const schema = FIELD_TYPES[field.type].schema(field) as RJSFSchema
  // rjsf renders nothing for an empty schema.
  if (field.type === 'note') return { type: 'string' }
  const items = field.fields && { items: objectOf(field.fields) }
  return { ...schema, ...items, title: field.label }
}

function objectOf(fields: Field[]): RJSFSchema {
  const required = fields.filter(({ attrs }) => attrs?.required).map(({ name }) => name)
  return {
    type: 'object',
    required,
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
  }
}

/** Objects and arrays of them are rendered by rjsf, with our templates. */
function uiOf(field: Field): UiSchema {
  const spec = { 'ui:options': { spec: field } }
  const { parts } = FIELD_TYPES[field.type]
  if (parts) return { ...spec, ...uiOfAll(parts) }
  if (field.type === 'repeat') return { ...spec, items: uiOfAll(field.fields!) }
  return { ...spec, 'ui:widget': field.type }
}

function uiOfAll(fields: Field[]): UiSchema {
  return Object.fromEntries(fields.map((field) => [field.name, uiOf(field)]))
}

/** A form of rjsf itself, which knows only our theme; `submit` returns what it would save. */
function openPlain(fields: Field[]) {
  const onSubmit = vi.fn<(event: { formData?: Values }) => void>()
  openElement(
    <Form
      schema={objectOf(fields)}
      uiSchema={uiOfAll(fields)}
      validator={validator}
      widgets={widgets}
      templates={templates}
      showErrorList={false}
      noHtml5Validate
      onSubmit={onSubmit}
      onError={() => undefined}
    />,
    { contract },
  )
  return async () => {
    await userEvent.click(view.getByRole('button', { name: 'Submit' }))
    return onSubmit.mock.lastCall?.[0].formData
  }
}

/** A field of a type, with the columns that a repeat needs. */
const answerOf = (type: FieldType, attrs: Field['attrs'] = {}) =>
  field('answer', type, attrs, type === 'repeat' ? { fields: COLUMNS } : {})

const ids = () => [...document.querySelectorAll('[id]')].map(({ id }) => id)

describe('a form of rjsf with our theme', () => {
  it.each(Object.keys(FIELD_TYPES) as FieldType[])('submits what is entered into a %s', async (type) => {
    const { example } = FIELD_TYPES[type]
    const typed: Answer = { fill: typing(String(example)), value: example }
    const { attrs, fill, value } = ANSWERS[type] ?? typed
    const submit = openPlain([answerOf(type, attrs)])
    await fill()
    expect((await submit())?.answer).toEqual(value)
    expect(ids()).toEqual([...new Set(ids())])
  })

  it('shows errors beside their controls, also within contacts and rows', async () => {
    const submit = openPlain([
      field('town', 'text', { required: true }),
      field('carer', 'contact'),
      field('family', 'repeat', {}, { fields: COLUMNS }),
    ])
    await userEvent.type(view.getByLabelText(/^Email/), 'nobody')
    await userEvent.click(view.getByLabelText('Add Family'))
    await userEvent.type(view.getByLabelText(/^Ring/), 'none')
    expect(await submit()).toBeUndefined()
    for (const id of ['root_town', 'root_carer_email', 'root_family_0_ring']) {
      const control = document.getElementById(id)!
      expect(control.getAttribute('aria-invalid')).toBe('true')
      expect(control.getAttribute('aria-describedby')).toContain(`${id}-error`)
      expect(document.getElementById(`${id}-error`)!.textContent).toMatch(/^Error: must /)
    }
    expect(document.querySelectorAll('.field-error')).toHaveLength(3)
    expect(ids()).toEqual([...new Set(ids())])
  })
})
