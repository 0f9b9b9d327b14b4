import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Field, Group } from '../../src/contract/generated.ts'
import {
  announced,
  CASE_META,
  fieldOf,
  openConstructor,
  patches,
  publish,
  row,
  serveConstructor,
  settings,
  stored,
} from './constructorContext.tsx'
import { fakeServer } from './fakeServer.ts'
import { field, openForm, section } from './openForm.tsx'
import { lookupHandlers } from './product.ts'

type User = ReturnType<typeof userEvent.setup>

async function openWith(fields: Field[], selected: string, others: Group[] = []) {
  stored.type = {
    ...stored.type,
    case_meta: [...CASE_META, { name: 'own', label: 'Own', fields }, ...others],
  }
  const opened = await openConstructor()
  await opened.user.click(row(selected))
  return opened
}

async function published(user: User, name: string) {
  await publish(user)
  await waitFor(() => expect(patches()).toHaveLength(1))
  return fieldOf(patches()[0], name)?.attrs
}

const score = field('score', 'integer')
const CHOOSE =
  'Calculated: By conditions – the value of the first condition that holds, otherwise another one'

describe('the editor of a calculation by conditions', () => {
  beforeEach(serveConstructor)

  it('takes typed bands, and adds the choices that the field lacks', async () => {
    const { user } = await openWith(
      [score, field('band', 'select', { options: [{ value: 'none', label: 'None' }] })],
      'Band',
    )
    await user.selectOptions(settings().getByLabelText('How it is answered'), CHOOSE)
    await user.click(settings().getByRole('button', { name: 'As bands of a number' }))
    await user.click(settings().getByText('Type the bands'))
    await user.type(settings().getByLabelText('Bands, one a line'), '0-4 none{Enter}bad{Enter}5+ Mild')
    await user.click(settings().getByRole('button', { name: 'Replace the bands' }))
    expect(settings().getByText("Write 'bad' like 0–4 None")).toBeTruthy()
    await user.clear(settings().getByLabelText('Bands, one a line'))
    await user.type(settings().getByLabelText('Bands, one a line'), '0-4 none{Enter}5+ Mild')
    await user.click(settings().getByRole('button', { name: 'Replace the bands' }))
    const band = within(settings().getByRole('group', { name: 'Band 2' }))
    expect((band.getByLabelText('Band 2 from') as HTMLInputElement).value).toBe('5')
    expect(await published(user, 'band')).toMatchObject({
      calc: 'choose',
      options: [
        { value: 'none', label: 'None' },
        { value: 'mild', label: 'Mild' },
      ],
      choose: [
        { when: { score: { min: 0, max: 4 } }, then: { text: 'none' } },
        { when: { score: { min: 5 } }, then: { text: 'mild' } },
        {},
      ],
    })
  })

  it('builds conditions with values row by row', async () => {
    const { user } = await openWith([score, field('band', 'text')], 'Band')
    await user.selectOptions(settings().getByLabelText('How it is answered'), CHOOSE)
    const first = within(settings().getByRole('group', { name: 'Value 1' }))
    await user.selectOptions(first.getByLabelText('Field'), 'Urgent')
    await user.selectOptions(first.getByLabelText('Value'), 'Yes')
    await user.selectOptions(first.getByLabelText('Then it is'), 'A text of its own')
    await user.type(first.getByLabelText('Then it is: text'), 'Now')
    await user.click(settings().getByRole('button', { name: 'Add a condition' }))
    await user.click(settings().getByRole('button', { name: 'Remove value 2' }))
    expect(announced()).toContain('Condition 2 removed')
    await user.selectOptions(settings().getByLabelText('Otherwise'), 'The answer to ‘Ward’')
    expect(settings().getByText("Now if 'Urgent' is Yes, otherwise 'Ward'")).toBeTruthy()
    expect(await published(user, 'band')).toMatchObject({
      calc: 'choose',
      choose: [{ when: { is_urgent: 'yes' }, then: { text: 'Now' } }, { then: 'ward' }],
    })
  })

  it('folds hidden fields that stand in for conditions', async () => {
    const helper = (name: string, min: number, max: number) =>
      field(name, 'text', { hidden: true, default: name, when: { score: { min, max } } })
    const band = field('band', 'text', { calc: 'join_text', of: ['low', 'high'] })
    const { user } = await openWith([score, helper('low', 0, 4), helper('high', 5, 9), band], 'Band')
    await user.click(settings().getByRole('button', { name: 'Make it one calculation by conditions' }))
    expect(settings().queryByText(/stand behind this calculation/)).toBeNull()
    const attrs = await published(user, 'band')
    expect(attrs?.choose).toEqual([
      { when: { score: { min: 0, max: 4 } }, then: { text: 'low' } },
      { when: { score: { min: 5, max: 9 } }, then: { text: 'high' } },
      {},
    ])
    expect(fieldOf(patches()[0], 'low')).toBeUndefined()
  })
})

describe('the editor of a condition on rows', () => {
  beforeEach(serveConstructor)
  const visits: Field = {
    ...field('visits', 'repeat'),
    fields: [field('day', 'date'), field('done', 'yesno')],
  }

  it('says what holds in how many rows', async () => {
    const { user } = await openWith(
      [visits, field('plan', 'text', { when: { visits: { set: true } } })],
      'Plan',
    )
    const condition = within(settings().getByRole('group', { name: 'Condition 1' }))
    await user.selectOptions(condition.getByLabelText('Comparison'), 'has at least so many rows in which')
    await user.type(condition.getByLabelText('Number of rows'), '2')
    const inRow = within(settings().getByRole('group', { name: 'In the row of condition 1' }))
    expect(within(inRow.getByLabelText('Field')).queryByText('Ward')).toBeNull()
    await user.selectOptions(inRow.getByLabelText('Field'), 'Done')
    await user.selectOptions(inRow.getByLabelText('Value'), 'No')
    expect((await published(user, 'plan'))?.when).toEqual({ visits: { count_rows: { done: 'no' }, min: 2 } })
  })
})

describe('groups and weights in the constructor', () => {
  beforeEach(serveConstructor)

  it('says a shared condition once, of the group', async () => {
    const when = { is_urgent: 'yes' }
    const { user } = await openWith([field('a', 'text', { when }), field('b', 'text', { when })], 'Own')
    await user.click(settings().getByRole('button', { name: 'Say it once, of the group' }))
    await user.selectOptions(settings().getByLabelText('Stands under'), 'Other')
    await user.click(settings().getByLabelText(/^Begins folded/))
    await publish(user)
    await waitFor(() => expect(patches()).toHaveLength(1))
    const own = (patches()[0].body as { case_meta: Group[] }).case_meta.find(({ name }) => name === 'own')
    expect(own?.attrs).toMatchObject({ when, under: 'other', folded: true })
    expect(own?.fields.map(({ attrs }) => attrs?.when)).toEqual([undefined, undefined])
  })

  it('enters the weights of all questions with the same choices at once', async () => {
    const options = [
      { value: 'no', label: 'No' },
      { value: 'often', label: 'Often' },
    ]
    const { user } = await openWith(
      [field('sleep', 'select', { options }), field('mood', 'select', { options })],
      'Sleep',
    )
    await user.type(settings().getByLabelText('Weight of Often'), '1')
    await user.click(
      settings().getByRole('button', { name: 'Weights of all 2 questions with these choices' }),
    )
    const dialog = within(await screen.findByRole('dialog', { name: 'Weights of 2 questions' }))
    await user.type(dialog.getByLabelText('Weight of Often, all questions'), '3')
    await user.clear(dialog.getByLabelText('Weight of Often, Sleep'))
    await user.type(dialog.getByLabelText('Weight of Often, Sleep'), '2')
    await user.click(dialog.getByRole('button', { name: 'Apply' }))
    const attrs = await published(user, 'sleep')
    expect(attrs?.options?.map(({ weight }) => weight)).toEqual([undefined, 2])
    expect(fieldOf(patches()[0], 'mood')?.attrs?.options?.map(({ weight }) => weight)).toEqual([undefined, 3])
  })
})

describe('a form', () => {
  beforeEach(() => fakeServer.use(lookupHandlers))

  it('has as many rows as an answer says, with their name', async () => {
    const user = userEvent.setup()
    const rows = {
      ...field('visits', 'repeat', { rows_from: 'count', row_label: 'Visit' }),
      fields: [field('why', 'text')],
    }
    const { values, submit } = openForm(section([field('count', 'integer'), rows]), {})
    await user.type(screen.getByLabelText(/^Count/), '2')
    const second = await screen.findByRole('group', { name: 'Visit 2' })
    expect(screen.queryByRole('button', { name: /Add|Remove/ })).toBeNull()
    await user.type(within(second).getByLabelText(/^Why/), 'Ill')
    await user.clear(screen.getByLabelText(/^Count/))
    await user.type(screen.getByLabelText(/^Count/), '1')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Remove Visit 1' })).toBeTruthy())
    expect(Object.values(submit()).flat()).toEqual(['Visits must have 1 row, as many as the form asks for'])
    await user.click(screen.getByRole('button', { name: 'Remove Visit 1' }))
    expect((values().visits as unknown[]).length).toBe(1)
    expect(submit()).toEqual({})
  })

  it('takes rows away again in which nobody has answered anything, also with a default', async () => {
    const user = userEvent.setup()
    const rows = {
      ...field('visits', 'repeat', { rows_from: 'count', row_label: 'Visit' }),
      fields: [field('by', 'text', { default: 'Phone' }), field('why', 'text')],
    }
    const { values } = openForm(section([field('count', 'integer'), rows]), {})
    await user.type(screen.getByLabelText(/^Count/), '3')
    await screen.findByRole('group', { name: 'Visit 3' })
    await user.clear(screen.getByLabelText(/^Count/))
    await user.type(screen.getByLabelText(/^Count/), '1')
    await waitFor(() => expect(values().visits).toHaveLength(1))
    expect(screen.queryByRole('group', { name: 'Visit 2' })).toBeNull()
  })

  it('shows the hints of choices, and describes the controls with them', () => {
    const options = [
      { value: 'low', label: 'Low' },
      { value: 'high', label: 'High', hint: 'Harm is likely' },
    ]
    openForm(
      section([
        field('risk', 'select', { options, radios: true }),
        field('risks', 'multiselect', { options }),
        field('other', 'select', { options }),
      ]),
      { other: 'high' },
    )
    for (const control of [
      screen.getByRole('radio', { name: 'High' }),
      screen.getByRole('checkbox', { name: 'High' }),
    ])
      expect(document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
        'Harm is likely',
      )
    expect(screen.getAllByText('Harm is likely')).toHaveLength(3)
  })

  it('begins with a folded group under another one, which an error opens', async () => {
    const user = userEvent.setup()
    const groups: Group[] = [
      { name: 'risk', label: 'Risk', fields: [field('a', 'text')] },
      {
        name: 'fire',
        label: 'Fire',
        attrs: { under: 'risk', folded: true },
        fields: [field('b', 'text', { required: true })],
      },
    ]
    const { submit } = openForm([{ ...section([])[0], groups }], {}, { folds: 'test' })
    const fold = screen.getByRole('button', { name: 'Fire' })
    expect(fold.getAttribute('aria-expanded')).toBe('false')
    expect(screen.getByRole('heading', { level: 3, name: 'Fire' })).toBeTruthy()
    await user.click(fold)
    expect(fold.getAttribute('aria-expanded')).toBe('true')
    await user.click(fold)
    submit()
    await waitFor(() => expect(fold.getAttribute('aria-expanded')).toBe('true'))
  })

  it('takes an address in parts, and finds it by its postcode', async () => {
    const user = userEvent.setup()
    const found = [{ value: '1', label: '10 High Street, Leeds, LS1 1AA' }]
    fakeServer.use({
      'GET /fetch/address_from_postcode/': { data: found },
      'GET /fetch/full_address_from_id/': { data: found },
    })
    const { values } = openForm(section([field('home', 'uk_address')]), {})
    const home = within(screen.getByRole('group', { name: /^Home/ }))
    await user.type(home.getByLabelText('Postcode'), 'ls1 1aa')
    await user.click(home.getByRole('button', { name: 'Find address' }))
    await user.selectOptions(
      await home.findByLabelText('1 address found: choose one'),
      '10 High Street, Leeds, LS1 1AA',
    )
    await waitFor(() => expect(values().home).toMatchObject({ line_1: '10 High Street', town: 'Leeds' }))
    expect((home.getByLabelText('Address line 1') as HTMLInputElement).value).toBe('10 High Street')
  })
})
