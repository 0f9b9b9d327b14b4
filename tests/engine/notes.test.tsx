import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import {
  openConstructor,
  preview,
  row,
  rows,
  serveConstructor,
  settings,
  stored,
  structure,
} from './constructorContext.tsx'
import { fakeServer } from './fakeServer.ts'
import { field, openForm, section } from './openForm.tsx'
import { lookupHandlers } from './product.ts'

beforeEach(() => fakeServer.use(lookupHandlers))

test('a note stands between the questions, in Markdown without HTML, pictures or scripts, and asks nothing', async () => {
  const text =
    '# Before you go\n\n- **Ring** first\n- see [the map](https://example.org/map), not [this](javascript:alert(1))\n\n<img src=x onerror="window.bad = 1"><script>window.bad = 1</script> ![](https://example.org/spy.png)'
  const { submit, values } = openForm(
    section([field('warning', 'note', { text, tone: 'warning' }), field('ward', 'text')]),
    { warning: 'x' },
  )
  const note = screen.getByRole('note', { name: 'Warning' })
  await waitFor(() => expect(note.querySelectorAll('li')).toHaveLength(2))
  expect(note.querySelector('strong ~ div strong')?.textContent).toBe('Before you go')
  expect(note.querySelectorAll('h1, img, script')).toHaveLength(0)
  const [map, script] = note.querySelectorAll('a')
  expect(map.getAttribute('href')).toBe('https://example.org/map')
  expect(script.getAttribute('href')).toBeNull()
  expect(note.parentElement?.className).toContain('note-warning')
  expect(screen.queryByLabelText(/Warning \(optional\)/)).toBeNull()
  expect(submit()).toEqual({})
  expect(values()).toEqual({ warning: 'x' })
})

test('answers stand in labels, helps and notes as they are typed, and in messages', async () => {
  const user = userEvent.setup()
  const { submit } = openForm(
    section([
      field('first_name', 'text'),
      field('mood', 'select', { options: [{ value: 'a', label: 'Angry' }] }),
      {
        ...field('why', 'text', { help: 'In the words of {first_name}', required: true }),
        label: 'Why is {first_name} {mood}?',
      },
      { ...field('hello', 'note', { text: 'Ask **{first_name}** first' }), label: 'Hello {first_name}' },
    ]),
  )
  const why = screen.getByLabelText('Why is … …?')
  await user.type(screen.getByLabelText(/^First name/), 'Ann')
  await user.selectOptions(screen.getByLabelText(/^Mood/), 'Angry')
  await waitFor(() => expect(screen.getByLabelText('Why is Ann Angry?')).toBe(why))
  expect(screen.getByText('In the words of Ann')).toBeTruthy()
  expect(screen.getByRole('note', { name: 'Hello Ann' }).textContent).toContain('Ask Ann first')
  expect(Object.values(submit())[0][0]).toContain('Why is Ann Angry?')
})

test('an administrator writes a note and sees it in the preview', async () => {
  serveConstructor()
  const { user } = await openConstructor()
  await user.click(structure().getByRole('button', { name: 'Add field to Referral' }))
  await user.type(settings().getByLabelText('Label'), 'Before a visit')
  await user.click(settings().getByLabelText(/^Note/))
  await user.click(settings().getByRole('button', { name: 'Add field' }))
  expect(settings().queryByRole('radiogroup', { name: 'Required' })).toBeNull()
  expect(settings().queryByLabelText('Let people search cases by it')).toBeNull()
  await user.type(settings().getByLabelText('Text'), 'Ring about {{ward} and {{gone}')
  expect(
    settings().getByText("This text names '{gone}', but there is no such field; choose another or remove it"),
  ).toBeTruthy()
  await user.click(settings().getByLabelText('Show it as a warning'))
  await user.type(preview().getByLabelText(/^Ward/), 'Elm')
  await waitFor(() =>
    expect(preview().getByRole('note', { name: 'Before a visit' }).textContent).toContain(
      'Ring about Elm and …',
    ),
  )
})

test('an answer is inserted at the caret by typing a brace, or by a button', async () => {
  serveConstructor()
  const { user } = await openConstructor()
  await user.click(row('Ward'))
  const label = () => settings().getByLabelText<HTMLTextAreaElement>('Label')
  const answers = () => {
    const list = settings().queryByRole('listbox', { name: 'Answers to insert' })
    return list
      ? within(list)
          .getAllByRole('option')
          .map((one) => one.textContent)
      : []
  }
  const button = () =>
    settings().getByRole('button', { name: 'Insert an answer', description: 'Into: Label' })

  await user.type(label(), ' {{urg')
  expect(answers().slice(0, 2)).toEqual(['Urgent {is_urgent}', 'Why urgent {why_urgent}'])
  expect(answers()).toContain("Last time's Urgent {$last.is_urgent}")
  await user.keyboard('{ArrowDown}')
  const active = label().getAttribute('aria-activedescendant')
  expect(document.getElementById(active!)?.textContent).toBe('Why urgent {why_urgent}')
  await user.keyboard('{Enter} now')
  expect(label().value).toBe('Ward {why_urgent} now')
  expect(settings().getByText('Shows ‘Why urgent’.')).toBeTruthy()
  expect(answers()).toEqual([])

  await user.type(label(), '{Home}', { initialSelectionStart: 0, initialSelectionEnd: 0 })
  await user.click(button())
  expect(label().value).toBe('{Ward {why_urgent} now')
  await user.keyboard('{Escape}')
  expect(label().value).toBe('Ward {why_urgent} now')
  expect(document.activeElement).toBe(label())
  await user.click(button())
  await user.keyboard('kind of nothing')
  expect(settings().getByText('No answer matches “kind of nothing”')).toBeTruthy()
  await user.keyboard('{Escape}')
  await user.click(button())
  await user.keyboard('kind')
  await user.click(settings().getByRole('option', { name: 'Kind {kind}' }))
  expect(label().value).toBe('{kind}Ward {why_urgent} now')
  expect(settings().getByText('Shows ‘Kind’ and ‘Why urgent’.')).toBeTruthy()

  await user.type(settings().getByLabelText('Help'), 'Of {{ward}, {{{{sic} and {{gone}')
  expect(
    settings().getByText("'{kind}Ward {why_urgent} now' cannot stand in its own text; remove '{ward}'"),
  ).toBeTruthy()
  expect(
    settings().getByText("This text names '{gone}', but there is no such field; choose another or remove it"),
  ).toBeTruthy()
})

test('a note shows a picture that was uploaded for it, by its words, and none without words', async () => {
  const asked: unknown[] = []
  fakeServer.use({
    ...lookupHandlers,
    'GET /api/files/{id}': ({ path }) => {
      asked.push(path)
      return { data: new Blob(['map'], { type: 'image/png' }) }
    },
  })
  const text = '![Map of the ward](/api/files/12) ![](/api/files/13) ![Spy](https://example.org/spy.png)'
  openForm(section([field('way', 'note', { text })]))
  const picture = await screen.findByRole('img', { name: 'Map of the ward' })
  expect(picture.getAttribute('src')).toMatch(/^data:image\/png;base64,/)
  expect(document.querySelectorAll('img')).toHaveLength(1)
  expect(asked).toEqual(['/api/files/12'])
})

test('an administrator adds a picture with words for who cannot see it', async () => {
  serveConstructor()
  fakeServer.use({
    'POST /api/case_types/7/pictures': { status: 201, data: { id: 12 } },
    'GET /api/files/12': { data: new Blob(['map'], { type: 'image/png' }) },
  })
  stored.type = {
    ...stored.type,
    case_meta: [{ name: 'g', label: 'Group', fields: [field('way', 'note', { text: 'Ring first' })] }],
  }
  const { user } = await openConstructor()
  await user.click(structure().getByRole('button', { name: /^Way/ }))
  const choose = () =>
    user.upload(settings().getByLabelText(/^Picture/), new File(['x'], 'map.png', { type: 'image/png' }))
  await choose()
  expect(settings().getByText('First say in words what the picture shows')).toBeTruthy()
  expect(fakeServer.requestsTo('POST /api/case_types/7/pictures')).toEqual([])
  await user.type(settings().getByLabelText('What a picture shows'), 'Map of the ward')
  await choose()
  await waitFor(() =>
    expect((settings().getByLabelText('Text') as HTMLTextAreaElement).value).toBe(
      'Ring first\n\n![Map of the ward](/api/files/12)',
    ),
  )
})

test('a file whose pictures are not here is taken, and says so', async () => {
  serveConstructor()
  const message = "The picture 'Map' of 'Way' is not here; upload it again or remove it"
  const missing = { 'case_meta.0.fields.0.attrs.text': [message] }
  fakeServer.use({
    'POST /api/case_types/7/check': { data: { errors: {}, missing } },
    'GET /api/files/99': { status: 404, data: {} },
  })
  const { user } = await openConstructor()
  const fields = [field('way', 'note', { text: '![Map](/api/files/99)' })]
  const forms = { case_meta: [{ name: 'g', label: 'Group', fields }], issue_meta: [] }
  await user.upload(
    screen.getByLabelText('File to import'),
    new File([JSON.stringify(forms, null, 2)], 'forms.json', { type: 'application/json' }),
  )
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('The file is the draft now, but pictures are missing')
  expect(alert.textContent).toContain(message)
  expect(rows()).toEqual(['Group', 'Way'])
})
