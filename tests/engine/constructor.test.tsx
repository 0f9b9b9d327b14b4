import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { describeShapeError } from '../../src/constructor/state/describeShapeError.ts'
import { itemLabels } from '../../src/engine/core/itemLabels.ts'
import {
  announced,
  CASE_META,
  fieldOf,
  HOSTILE,
  ISSUE_META,
  inUse,
  OLDER_META,
  openConstructor,
  PUBLISH,
  patches,
  preview,
  publish,
  publishButton,
  publishDialog,
  row,
  rows,
  SAVE_DRAFT,
  serveConstructor,
  settings,
  stored,
  structure,
} from './constructorContext.tsx'
import { fakeServer } from './fakeServer.ts'

beforeEach(serveConstructor)

describe('the constructor', () => {
  it('renders structure and preview, and how many records use it', async () => {
    await openConstructor()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Advocacy')
    expect(screen.getByText(/Version 4 · 132 cases and 5 issues use it/)).toBeTruthy()
    expect(rows()).toEqual(['Referral', 'Urgent', 'Why urgent', 'Ward', 'Kind', 'Other', HOSTILE, 'Either'])
    expect(preview().getByLabelText(/^Ward/)).toBeTruthy()
  })

  it('opens before it is counted how many records use it; only publishing waits', async () => {
    let counted = () => {}
    const usage = { cases: 132, issues: 5, case_meta: { ward: 3 }, issue_meta: {} }
    const counting = new Promise<void>((resolve) => {
      counted = resolve
    })
    fakeServer.use({ 'GET /api/case_types/7/usage': () => counting.then(() => ({ data: usage })) })
    const { user } = await openConstructor()
    expect(screen.getByText(/Version 4 · Counting who uses it…/)).toBeTruthy()
    await user.click(inUse('Ward'))
    await user.click(publishButton())
    expect(announced()).toBe('Who uses it is still being counted')
    expect(screen.queryByRole('dialog')).toBeNull()
    counted()
    await screen.findByText(/Version 4 · 132 cases and 5 issues use it/)
    await user.click(publishButton())
    expect((await publishDialog()).getByText(/'Ward' is switched off: 3 of 132/)).toBeTruthy()
  })

  it('stays open where it cannot be counted who uses it, and counts again', async () => {
    fakeServer.use({ 'GET /api/case_types/7/usage': { status: 500 } })
    const { user } = await openConstructor()
    await user.click(inUse('Ward'))
    await screen.findByText(/Version 4 · Who uses it could not be counted/)
    await user.click(publishButton())
    expect(announced()).toBe('Who uses it could not be counted')
    const usage = { cases: 132, issues: 5, case_meta: {}, issue_meta: {} }
    fakeServer.use({ 'GET /api/case_types/7/usage': { data: usage } })
    await user.click(screen.getByRole('button', { name: 'Count again' }))
    await screen.findByText(/Version 4 · 132 cases and 5 issues use it/)
    expect(inUse('Ward')).toMatchObject({ checked: false })
  })

  it('renders hostile labels as text', async () => {
    const { user } = await openConstructor()
    await user.click(row('<img'))
    expect(settings().getByRole('heading', { level: 2 }).textContent).toBe(HOSTILE)
    expect(preview().getAllByText(HOSTILE)).toHaveLength(2)
    expect(document.querySelector('.constructor img')).toBeNull()
  })

  it('switches a field and a group off and on, and updates the preview', async () => {
    const { user } = await openConstructor()
    await user.click(inUse('Ward'))
    await waitFor(() => expect(preview().queryByLabelText(/^Ward/)).toBeNull())
    expect(announced()).toBe('Ward is switched off')
    await user.click(inUse('Ward'))
    await waitFor(() => expect(preview().getByLabelText(/^Ward/)).toBeTruthy())
    await user.click(inUse('Other'))
    await waitFor(() => expect(preview().queryByText('Other')).toBeNull())
  })

  it('renames a field and makes it required; sample answers stay', async () => {
    const { user } = await openConstructor()
    await user.type(preview().getByLabelText(/^Ward/), 'Elm')
    await user.click(row('Ward'))
    const label = settings().getByLabelText('Label')
    await user.clear(label)
    expect(settings().getByText('Give this field a label')).toBeTruthy()
    await user.type(label, 'Ward or unit')
    await user.click(settings().getByLabelText('Always, while it is shown'))
    await waitFor(() => {
      const input = preview().getByLabelText('Ward or unit') as HTMLInputElement
      expect(input.value).toBe('Elm')
    })
    expect(rows()).toContain('Ward or unit')
  })

  it('marks a field for the public referral form, and says where it cannot be asked there', async () => {
    const { user } = await openConstructor()
    await user.click(row('Ward'))
    const mark = settings().getByLabelText('Ask in the public referral form')
    await user.click(mark)
    expect((mark as HTMLInputElement).checked).toBe(true)
    expect(settings().queryByText(/public referral form cannot/)).toBeNull()
    await user.click(settings().getByLabelText('Sensitive: leave it out of lists and exports'))
    expect(
      settings().getByText("The public referral form cannot ask 'Ward', which is sensitive"),
    ).toBeTruthy()
    await user.click(screen.getByRole('tab', { name: 'Issue form' }))
    await user.click(row('Aim'))
    expect(settings().queryByLabelText('Ask in the public referral form')).toBeNull()
  })

  it('moves fields by button and key, across groups, announces it and keeps the focus', async () => {
    const { user } = await openConstructor()
    await user.click(row('Ward'))
    const up = structure().getByRole('button', { name: 'Move Ward up' })
    await user.click(up)
    expect(rows().slice(0, 5)).toEqual(['Referral', 'Urgent', 'Ward', 'Why urgent', 'Kind'])
    expect(announced()).toBe('Ward moved to place 2 of 4 in Referral')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Ward up')

    act(() => row('Kind').focus())
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(rows()).toEqual(['Referral', 'Urgent', 'Ward', 'Why urgent', 'Other', 'Kind', HOSTILE, 'Either'])
    expect(announced()).toBe('Kind moved to place 1 of 3 in Other')
    expect(document.activeElement).toBe(row('Kind'))
    await user.keyboard('{ArrowUp}')
    expect(document.activeElement?.textContent).toContain('Other')

    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(rows()[0]).toBe('Other')
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(announced()).toBe('Other is already at the top')
  })

  it('adds a select with options and a condition, and publishes it with the version it was opened at', async () => {
    const { user, notices } = await openConstructor()
    await user.click(structure().getByRole('button', { name: 'Add field to Referral' }))
    expect(document.activeElement).toBe(settings().getByLabelText('Label'))
    await user.click(settings().getByRole('button', { name: 'Add field' }))
    expect(settings().getByText('Enter a label for the field')).toBeTruthy()
    expect(settings().getByText('Choose what kind of answer it takes')).toBeTruthy()
    await user.type(settings().getByLabelText('Label'), 'Is urgent')
    await user.click(settings().getByLabelText(/^One choice/))
    await user.click(settings().getByRole('button', { name: 'Add field' }))
    expect(announced()).toBe('Is urgent added')
    await waitFor(() =>
      expect(document.querySelector('[data-marked]')?.textContent).toMatch(/^Is urgent.*Add choices/),
    )

    await user.click(publishButton())
    expect(patches()).toEqual([])
    const summary = screen.getByRole('alert', { name: 'There is a problem' })
    expect(document.activeElement).toBe(summary)
    expect(within(summary).getByText("Add choices to 'Is urgent', or choose a list for it")).toBeTruthy()

    await user.type(settings().getByLabelText('New choice'), 'Café au lait{Enter}')
    fireEvent.paste(settings().getByLabelText('New choice'), {
      clipboardData: { getData: () => 'Tea\r\n\nTea\nMilk' },
    })
    // Two choices with the same words are a warning before the publication and no error here.
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    await user.type(settings().getByLabelText('Choice 3'), ' with lemon')
    expect(screen.queryByRole('alert')).toBeNull()

    await user.click(
      within(settings().getByRole('radiogroup', { name: 'Shown' })).getByLabelText('Only when…'),
    )
    expect(settings().getByText(/Choose the field that this condition looks at/)).toBeTruthy()
    await user.selectOptions(settings().getByLabelText('Field'), 'Kind')
    expect(settings().getByText(/Choose a value of 'Kind'/)).toBeTruthy()
    await user.selectOptions(settings().getByLabelText('Comparison'), 'is one of')
    await user.click(within(settings().getByRole('group', { name: 'Value' })).getByLabelText('Why'))
    await waitFor(() => expect(preview().queryByLabelText(/^Is urgent/)).toBeNull())
    expect(preview().getByText('Why? Is urgent is not shown with these sample answers.')).toBeTruthy()
    expect(preview().getByText(/'Kind' is Why/)).toBeTruthy()
    await user.selectOptions(preview().getByLabelText(/^Kind/), 'Why')
    await waitFor(() => expect(preview().getByLabelText(/^Is urgent/)).toBeTruthy())

    await publish(user)
    await waitFor(() => expect(notices.map(({ text }) => text)).toEqual(['Published as version 5']))
    const [patch] = patches()
    expect(patch.body).toMatchObject({ version: 4, label: 'Advocacy', issue_meta: ISSUE_META })
    expect(fieldOf(patch, 'is_urgent_2')).toEqual({
      name: 'is_urgent_2',
      label: 'Is urgent',
      type: 'select',
      attrs: {
        is_on: true,
        options: [
          { value: 'cafe_au_lait', label: 'Café au lait' },
          { value: 'tea', label: 'Tea' },
          { value: 'tea_2', label: 'Tea with lemon' },
          { value: 'milk', label: 'Milk' },
        ],
        when: { kind: ['y'] },
      },
    })
    expect(await screen.findByText('Everything is published.')).toBeTruthy()
    expect(screen.getByText(/Version 5/)).toBeTruthy()
    await user.click(publishButton())
    expect(patches()).toHaveLength(1)
    expect(announced()).toBe('There is nothing to publish')
  })

  it('takes a label of 500 characters in one line, and counts those that are left', async () => {
    const { user } = await openConstructor()
    await user.click(row('Ward'))
    const label = settings().getByLabelText('Label')
    await user.clear(label)
    await user.click(label)
    await user.paste('w'.repeat(448))
    expect(settings().queryByText(/^\d+ of 500 characters/)).toBeNull()
    await user.type(label, 'x{Enter}y')
    expect(label).toHaveProperty('value', `${'w'.repeat(448)}xy`)
    expect(settings().getByText('450 of 500 characters')).toBeTruthy()
    await user.paste('z'.repeat(60))
    expect(label).toHaveProperty('value.length', 500)
    expect(settings().getByText('500 characters at most')).toBeTruthy()
  })

  it('undoes and redoes by button and key, with a typed word as one step', async () => {
    const { user } = await openConstructor()
    await user.click(row('Ward'))
    await user.type(settings().getByLabelText('Label'), ' 12')
    await user.click(row('Kind'))
    await user.keyboard('{Control>}z{/Control}')
    expect(rows()).toContain('Ward')
    expect(announced()).toBe('Undone: Label, Ward')
    expect(settings().getByRole('heading', { level: 2 }).textContent).toBe('Ward')
    await user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')
    expect(rows()).toContain('Ward 12')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(rows()).toContain('Ward')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(announced()).toBe('Nothing to undo')
    await user.click(screen.getByRole('button', { name: 'Redo' }))
    expect(rows()).toContain('Ward 12')
    await user.click(preview().getByLabelText(/^Ward 12/))
    await user.keyboard('x{Control>}z{/Control}')
    expect(rows()).toContain('Ward 12')
  })

  it('undoes nothing by key while a dialog is open', async () => {
    const { user } = await openConstructor()
    await user.click(inUse('Ward'))
    await user.click(publishButton())
    const cancel = (await publishDialog()).getByRole('button', { name: 'Cancel' })
    act(() => cancel.focus())
    await user.keyboard('{Control>}z{/Control}')
    await user.click(cancel)
    expect(inUse('Ward')).toMatchObject({ checked: false })
  })

  it('explains why an answered field cannot change its type or be removed', async () => {
    const { user } = await openConstructor()
    await user.click(row('Urgent'))
    expect(settings().queryByLabelText('Type')).toBeNull()
    expect(settings().getByText(/'Urgent' is answered in 12 cases, so its type cannot change/)).toBeTruthy()
    const remove = settings().getByRole('button', { name: 'Remove this field' })
    expect(remove.getAttribute('aria-disabled')).toBe('true')
    await user.click(remove)
    expect(rows()).toContain('Urgent')
    expect(
      settings().getByText("'Urgent' is answered in 12 cases; switch it off instead of removing it."),
    ).toBeTruthy()

    await user.click(row('Kind'))
    expect(settings().queryByRole('button', { name: 'Remove Ex' })).toBeNull()
    await user.click(settings().getByRole('button', { name: 'Retire Ex' }))
    expect(settings().getByText(/No longer offered/)).toBeTruthy()
    await user.type(settings().getByLabelText('New choice'), 'Zed{Enter}')
    await user.click(settings().getByRole('button', { name: 'Move Zed up' }))
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Zed up')
    await user.click(settings().getByRole('button', { name: 'Remove Zed' }))
    expect(document.activeElement).toBe(settings().getByRole('heading', { level: 2 }))

    await user.click(row('Ward'))
    await user.selectOptions(settings().getByLabelText('Type'), 'Number – a whole number')
    await waitFor(() => expect(preview().getByLabelText(/^Ward/).getAttribute('inputmode')).toBe('numeric'))
    await user.click(settings().getByRole('button', { name: 'Remove this field' }))
    expect(rows()).not.toContain('Ward')
    expect(announced()).toBe('Ward removed')
  })

  it('describes conditions that it cannot edit, and can remove them', async () => {
    const nested = [{ is_urgent: 'yes' }, { any: [{ kind: 'x' }] }]
    const [first, other] = structuredClone(CASE_META)
    other.fields[1].attrs!.when = { any: nested }
    stored.type = { ...stored.type, case_meta: [first, other] }
    const { user } = await openConstructor()
    await user.click(row('Either'))
    expect(settings().getByText("('Urgent' is Yes or 'Kind' is Ex)")).toBeTruthy()
    await user.click(settings().getByRole('button', { name: 'Add to the condition' }))
    await user.selectOptions(settings().getByLabelText('Field'), 'Ward')
    await user.selectOptions(settings().getByLabelText('Comparison'), 'has a value')
    await publish(user)
    await waitFor(() => expect(patches()).toHaveLength(1))
    expect(fieldOf(patches()[0], 'either')?.attrs?.when).toEqual({
      any: nested,
      ward: { set: true },
    })
    await user.click(settings().getByRole('button', { name: 'Remove this part of the condition' }))
    expect(settings().queryByText(/'Urgent' is Yes/)).toBeNull()
  })

  it('links the error summary to a field of the other form', async () => {
    const { user } = await openConstructor()
    await user.click(screen.getByRole('tab', { name: 'Issue form' }))
    expect(rows()).toEqual(['Work', 'Aim'])
    await user.click(row('Aim'))
    await user.clear(settings().getByLabelText('Label'))
    await user.click(screen.getByRole('tab', { name: 'Case form' }))
    await user.click(publishButton())
    await user.click(screen.getByRole('button', { name: 'Give this field a label' }))
    expect(screen.getByRole('tab', { name: 'Issue form' }).getAttribute('aria-selected')).toBe('true')
    expect(settings().getByText('Give this field a label')).toBeTruthy()
    expect(document.activeElement).toBe(settings().getByRole('heading', { level: 2 }))
  })

  it('shows the server’s validation errors', async () => {
    const { user } = await openConstructor()
    fakeServer.use({ [PUBLISH]: { status: 400, data: { 'case_meta.0.fields.2.label': ['Too rude'] } } })
    await user.click(row('Ward'))
    await user.type(settings().getByLabelText('Label'), '!')
    await publish(user)
    expect(await screen.findByRole('button', { name: 'Ward!: Too rude' })).toBeTruthy()
    expect(settings().getByText('Too rude')).toBeTruthy()
    expect(patches()).toHaveLength(1)
    await user.type(settings().getByLabelText('Label'), '!')
    expect(screen.queryByText(/Too rude/)).toBeNull()
  })

  it('asks before unsaved changes are lost', async () => {
    const { user } = await openConstructor()
    // On a busy machine they could be saved meanwhile.
    fakeServer.use({ [SAVE_DRAFT]: () => new Promise(() => {}) })
    await user.click(inUse('Ward'))
    await user.click(screen.getByRole('link', { name: 'Elsewhere' }))
    expect(await screen.findByText('Warning! You have unsaved changes')).toBeTruthy()
    expect(screen.getByText('The added information will be lost.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Leave' }))
    expect(await screen.findByText('Another page')).toBeTruthy()
  })
})

describe('items of lookups', () => {
  const section = {
    name: 'section',
    label: 'Section',
    type: 'select' as const,
    // Hidden at first, so that the preview does not load it.
    attrs: { lookup: 'section_status', when: { is_urgent: 'yes' } },
  }
  const [first, other] = structuredClone(CASE_META)
  first.fields.push(section)
  first.fields[3].attrs!.when = { section: [2, 999] }
  other.fields[1].attrs!.when = { any: [{ is_urgent: 'yes' }, { section: 1 }] }
  const draft = { rev: 1, base_version: 4, label: 'Advocacy', case_meta: [first, other], issue_meta: [] }
  const words = "'Section' is one of Section 2 - assessment or item 999"

  it('are named by their labels in every text, and load once a selected field needs them', async () => {
    stored.draft = draft
    const { user } = await openConstructor()
    const loads = () => fakeServer.requests.filter(({ query }) => query.active === false)
    await user.click(row('Ward'))
    expect(loads()).toEqual([])
    await user.click(row('Kind'))
    expect(
      await screen.findByText(`'Kind' is shown only when ${words}; 'Section' is itself hidden.`),
    ).toBeTruthy()
    expect(loads().map((one) => one.path)).toEqual(['/section_status_lookup/'])
    await user.click(row('Either'))
    const second = within(settings().getByRole('group', { name: 'Condition 1 of alternative 2' }))
    expect(await second.findByRole('option', { name: 'Informal', selected: true })).toBeTruthy()
    await user.click(publishButton())
    const box = await publishDialog()
    expect(await box.findByText(new RegExp(`^'Kind' is shown only when ${words} now`))).toBeTruthy()
    expect(box.queryByRole('columnheader', { name: 'Published' })).toBeNull()
    await user.click(box.getByText('Everything that differs from version 4'))
    expect(await box.findByRole('cell', { name: words })).toBeTruthy()
  })

  it('with the same label are distinguished by their id', () => {
    const items = ['Other', 'Ward', 'Other'].map((label, i) => ({ value: i + 1, label }))
    expect([...itemLabels(items).values()]).toEqual(['Other (item 1)', 'Ward', 'Other (item 3)'])
  })
})

describe('an imported file', () => {
  const file = (text: string) => new File([text], 'forms.json', { type: 'application/json' })

  it('becomes the draft', async () => {
    const { user } = await openConstructor()
    await user.upload(
      screen.getByLabelText('File to import'),
      file(JSON.stringify({ case_meta: OLDER_META, issue_meta: [] })),
    )
    await waitFor(() => expect(rows()).not.toContain('Ward'))
    const words = 'forms.json replaced the draft: 3 questions removed'
    expect(announced()).toBe(words)
    expect(within(document.querySelector<HTMLElement>('.bp6-callout')!).getByText(words)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Undo the replacement' }))
    expect(rows()).toContain('Ward')
    expect(document.querySelector('.bp6-callout')).toBeNull()
  })

  it('with a syntax error is refused by line, and the draft stays', async () => {
    const { user } = await openConstructor()
    await user.upload(screen.getByLabelText('File to import'), file('{\n  "case_meta": [,,]\n'))
    expect(await screen.findByText('forms.json, line 2, column 17')).toBeTruthy()
    expect(screen.getByText(/^The file is not valid JSON/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Close' }).closest('.constructor-buttons')).toBeNull()
    expect(rows()).toContain('Ward')
  })

  it.each([
    ['{"name": "x", "pages": []}', 'forms.json, line 1, column 1', /^This is not a case type/],
    ['[]', 'forms.json, line 1, column 1', /^This is not a case type/],
    [
      '{"issue_meta": [],\n "case_metta": []}',
      'forms.json, line 2, column 2',
      /no 'case_metta'; did you mean 'case_meta'/,
    ],
  ])('that is not a case type is refused: %s', async (text, place, message) => {
    const { user } = await openConstructor()
    await user.upload(screen.getByLabelText('File to import'), file(text))
    expect(await screen.findByText(place)).toBeTruthy()
    expect(screen.getByText(message)).toBeTruthy()
    expect(rows()).toContain('Ward')
  })

  it('with one form leaves the other unchanged', async () => {
    const { user } = await openConstructor()
    await user.upload(screen.getByLabelText('File to import'), file(JSON.stringify({ issue_meta: [] })))
    await waitFor(() => expect(announced()).toMatch(/^forms.json replaced the draft/))
    expect(rows()).toContain('Ward')
  })

  it('with two fields of one name is refused with the place of the second', async () => {
    const { user } = await openConstructor()
    const fields = [{ name: 'ward', label: 'Ward', type: 'text' }]
    const groups = ['one', 'two'].map((name) => ({ name, label: name, fields }))
    const text = `{"case_meta": [\n${groups.map((group) => JSON.stringify(group)).join(',\n')}\n]}`
    await user.upload(screen.getByLabelText('File to import'), file(text))
    expect(await screen.findByText(/^forms.json, line 3/)).toBeTruthy()
    expect(screen.getByText(/Case form, 'two', 'Ward'.*: Another field has the name 'ward' too/)).toBeTruthy()
    expect(rows()).toContain('Kind')
  })

  it('leaves what was changed while the server checked it', async () => {
    let checked = () => {}
    const checking = new Promise<void>((resolve) => (checked = resolve))
    fakeServer.use({
      'POST /api/case_types/7/check': () => checking.then(() => ({ data: { errors: {}, missing: {} } })),
    })
    const { user } = await openConstructor()
    await user.upload(screen.getByLabelText('File to import'), file(JSON.stringify({ issue_meta: [] })))
    await waitFor(() => expect(fakeServer.requestsTo('POST /api/case_types/7/check')).toHaveLength(1))
    await user.click(inUse('Ward'))
    checked()
    await waitFor(() => expect(announced()).toMatch(/^forms.json replaced the draft/))
    expect(inUse('Ward')).toMatchObject({ checked: false })
  })

  it('of the wrong shape is refused with its place in words', () => {
    const draft = { case_meta: [{ label: 'Referral', fields: [{ name: 'a' }, {}] }] }
    const words = (path: (string | number)[]) => describeShapeError(draft, path, 'lacks it')
    expect(words(['case_meta', 0, 'fields', 1])).toBe("Case form, 'Referral', field 2: lacks it")
    expect(words(['case_meta', 0, 'attrs', 'when'])).toBe("Case form, 'Referral', its condition: lacks it")
    expect(words(['issue_meta', 3, 'label'])).toBe('Issue form, group 4, its label: lacks it')
    expect(words(['case_meta', 0, 'fields', 1, 'attrs', 'options', 2])).toBe(
      "Case form, 'Referral', field 2, choice 3: lacks it",
    )
    expect(words(['automations', 0, 'then', 1, 'alert'])).toBe('automation 1, outcome 2, its text: lacks it')
  })
})
