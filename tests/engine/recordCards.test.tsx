import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Link } from 'react-router-dom'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Field, FormScreen, Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import type { Notice } from '../../src/engine/core/notices.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer } from './fakeServer.ts'
import { open, person } from './open.tsx'
import { lookupHandlers } from './product.ts'

const text = (name: string, label: string, attrs: Field['attrs'] = {}): Field => ({
  name,
  label,
  type: 'text',
  attrs,
})
const URGENT: Field = { name: 'is_urgent', label: 'Urgent', type: 'yesno' }
const REFERRAL: Group = {
  name: 'referral',
  label: 'Referral',
  fields: [text('why', 'Why'), URGENT, text('by', 'Referred by')],
}
const VISIT: Group = {
  name: 'visit',
  label: 'Safe visiting',
  fields: [
    text('gap', 'Gap', { required: true }),
    text('route', 'Way in', { required: true, when: { is_urgent: 'yes' } }),
    text('dog', 'Dog', { max_length: 5 }),
  ],
}
const EMPTY: Group = { name: 'empty', label: 'Wishes', fields: [text('wish', 'Wish'), text('fear', 'Fear')] }
const CASE: Values = {
  id: 7,
  version: 3,
  client: 9,
  service: 1,
  case_type: 1,
  contract: 1,
  patient_dob: '1950-02-01',
  answers: { why: 'Because', dog: 'Too long' },
  invalid_fields: ['gap', 'dog'],
}
const GET = 'GET /case/7/'
const PATCH = 'PATCH /case/7/'
let record: Values
let meta: Group[]
let metaVersion: number
let notices: Notice[]

beforeEach(() => {
  record = CASE
  meta = [REFERRAL, VISIT, EMPTY]
  metaVersion = 1
  fakeServer.use({
    ...lookupHandlers,
    'GET /case_type/1/': () => ({
      data: { id: 1, label: 'IMCA', version: metaVersion, case_meta: meta, issue_meta: [] },
    }),
    'GET /client/9/index/': { data: { id: 9, version: 1, area: 1 } },
    [GET]: () => ({ data: record }),
    [PATCH]: ({ body }) => {
      const { answers, ...others } = body
      record = {
        ...record,
        ...others,
        version: Number(record.version) + 1,
        answers: { ...(record.answers as Values), ...(answers as Values) },
      }
      return { data: record }
    },
  })
})

async function openCase({
  at = '/cases/7/details',
  groups = [4],
  shown = contract.screens['case-details'],
} = {}) {
  const opened = await open({ 'case-details': shown }, at, {
    contract,
    person: person(groups),
    staleTime: 0,
    beside: <Link to="/elsewhere">Elsewhere</Link>,
    more: [{ path: '/elsewhere', element: <Link to="/cases/7/details">Back</Link> }],
  })
  notices = opened.notices
  await screen.findByRole('heading', { name: 'Referral' })
  // The cards below the first follow once these are seen.
  const index = document.querySelectorAll('.section-index li')
  await waitFor(() => expect(document.querySelectorAll('.card')).toHaveLength(index.length))
  return opened
}
const patches = () => fakeServer.requestsTo(PATCH).map(({ body }) => body)
const card = (name: string) => within(screen.getByRole('region', { name }))
const changeButton = (name: string) => screen.getByRole('button', { name: `Change ${name}` })
const change = (name: string) => userEvent.click(changeButton(name))
const save = () => userEvent.click(screen.getAllByRole('button', { name: 'Save' })[0])
const box = (label: RegExp) => screen.getByLabelText(label) as HTMLInputElement
const boxes = () => document.querySelectorAll('input, select, textarea').length
const rows = (name: string) =>
  card(name)
    .queryAllByRole('term')
    .map((term) => [term.textContent, term.nextElementSibling?.textContent])

describe('a record that opens to read', () => {
  test('of which only answers are shown says of the others why there are none, and never that they are missing', async () => {
    const details = contract.screens['case-details'] as FormScreen
    const groups = details.groups.map((section) => ({
      ...section,
      answered: true as const,
      unanswered: 'not asked',
    })) as FormScreen['groups']
    await openCase({ shown: { ...details, groups } })
    expect(rows('Safe visiting')).toEqual([['Dog', 'Too long']])
    expect(document.body.textContent).not.toMatch(/missing/i)
    await userEvent.click(card('Safe visiting').getByRole('button', { name: 'Show what is not asked' }))
    expect(rows('Safe visiting')).toEqual([
      ['Gap', 'Not asked'],
      ['Dog', 'Too long'],
    ])
  })

  test('says of what the public form did not ask that it was not asked, and not that it is missing', async () => {
    record = { ...CASE, not_asked: ['gap'] }
    await openCase()
    expect(rows('Safe visiting')).toEqual([
      ['Gap', 'Not asked'],
      ['Dog', expect.stringMatching(/^Too long/)],
    ])
    const index = within(screen.getByRole('navigation', { name: 'On this page' }))
    expect(index.getAllByRole('listitem')[2].textContent).toBe('Safe visiting1 wrong1 not asked')
    expect(document.body.textContent).not.toMatch(/missing/i)
  })

  test('that somebody only reads has no way to change it', async () => {
    record = { ...CASE, may_change: false }
    await openCase()
    expect(rows('Referral')).toEqual([['Why', 'Because']])
    expect(screen.queryByRole('button', { name: /^Change/ })).toBeNull()
  })

  test('shows a card for each group, with what is not given folded', async () => {
    await openCase()
    expect(boxes()).toBe(0)
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
    expect(rows('Referral')).toEqual([['Why', 'Because']])
    expect(rows('Wishes')).toEqual([])
    expect(card('Wishes').getByText('2 not given')).toBeTruthy()
    await userEvent.click(card('Wishes').getByRole('button', { name: /^Show/ }))
    expect(rows('Wishes')).toEqual([
      ['Wish', 'Not given'],
      ['Fear', 'Not given'],
    ])
  })

  test('marks what is missing or wrong, and counts it in the index of its sections', async () => {
    await openCase()
    expect(rows('Safe visiting')).toEqual([
      ['Gap', 'Missing'],
      ['Dog', expect.stringMatching(/^Too long.*5 characters/)],
    ])
    const index = within(screen.getByRole('navigation', { name: 'On this page' }))
    expect(index.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Contract',
      'Referral',
      'Safe visiting1 missing, 1 wrong',
      'Wishes',
    ])
    await userEvent.click(index.getByRole('link', { name: 'Safe visiting' }))
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Safe visiting' }))
  })

  test('offers no change to people who may not save', async () => {
    await openCase({ groups: [] })
    expect(screen.queryByRole('button', { name: /^Change/ })).toBeNull()
    expect(screen.getByText('Because')).toBeTruthy()
  })

  test('opens at an answer that the address names, and at the first that is missing', async () => {
    const { unmount } = await openCase({ at: '/cases/7/details#answers.fear' })
    await waitFor(() => expect(document.activeElement).toBe(box(/^Fear/)))
    unmount()
    await openCase({ at: '/cases/7/details#missing' })
    await waitFor(() => expect(document.activeElement).toBe(box(/^Gap/)))
  })
})

describe('Change', () => {
  test('makes a form of one section, saves what changed, and gives the focus back', async () => {
    await openCase()
    await change('Referral')
    expect(document.activeElement).toBe(box(/^Why/))
    expect(screen.queryByLabelText(/^Gap/)).toBeNull()
    await userEvent.type(box(/^Why/), ' of the fall')
    await save()
    await waitFor(() =>
      expect(notices).toEqual([{ kind: 'success', text: expect.stringMatching(/^Saved: ./) }]),
    )
    expect(patches()).toEqual([{ answers: { why: 'Because of the fall' }, version: 3, case_type_version: 1 }])
    expect(rows('Referral')).toEqual([['Why', 'Because of the fall']])
    expect(boxes()).toBe(0)
    expect(document.activeElement).toBe(changeButton('Referral'))
  })

  test('says what is wrong in the section where it is, and focuses it there', async () => {
    await openCase()
    await change('Safe visiting')
    await userEvent.clear(box(/^Dog/))
    await userEvent.type(box(/^Dog/), 'Far too long')
    await save()
    const alert = await screen.findByRole('alert')
    expect(alert.closest('section')).toBe(screen.getByRole('region', { name: 'Safe visiting' }))
    expect(document.activeElement).toBe(alert)
    expect(patches()).toEqual([])
  })

  test('of a section that begins with a yes-or-no question focuses its answer', async () => {
    meta = [{ ...REFERRAL, fields: [URGENT] }]
    record = { ...CASE, answers: { is_urgent: 'no' }, invalid_fields: [] }
    await openCase()
    await change('Referral')
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'No' }))
  })

  test('closes the section before, unless it holds what is not saved: then both are saved', async () => {
    await openCase()
    await change('Referral')
    await change('Wishes')
    expect(screen.queryByLabelText(/^Why/)).toBeNull()
    await userEvent.type(box(/^Wish \(/), 'Go home')
    await change('Referral')
    expect(box(/^Wish \(/).value).toBe('Go home')
    await userEvent.type(box(/^Why/), '!')
    await save()
    await waitFor(() => expect(patches()).toHaveLength(1))
    expect(patches()[0].answers).toEqual({ wish: 'Go home', why: 'Because!' })
    await waitFor(() => expect(boxes()).toBe(0))
  })

  test('with nothing new says so and closes', async () => {
    await openCase()
    await change('Referral')
    await save()
    expect(notices.map((notice) => notice.text)).toEqual(['There is nothing new to save'])
    expect(boxes()).toBe(0)
    expect(patches()).toEqual([])
  })

  test('Cancel drops what was typed, and Undo brings it back', async () => {
    await openCase()
    await change('Referral')
    await userEvent.type(box(/^Why/), '!')
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(rows('Referral')).toEqual([['Why', 'Because']])
    expect(document.activeElement).toBe(changeButton('Referral'))
    expect(notices.at(-1)?.text).toBe('“Referral” is as it was')
    act(() => notices.at(-1)!.action!.run())
    expect(box(/^Why/).value).toBe('Because!')
  })

  test('opens another section where the change makes an answer of it required', async () => {
    await openCase()
    await change('Referral')
    fireEvent.click(screen.getByLabelText('Yes'))
    expect(rows('Safe visiting')).toContainEqual(['Way in', 'Missing'])
    await save()
    const problem = within(screen.getByRole('alert'))
    expect(patches()).toEqual([])
    await userEvent.click(problem.getByRole('link', { name: 'Answer “Way in”' }))
    expect(document.activeElement).toBe(box(/^Way in/))
    await userEvent.keyboard('By the yard')
    await save()
    await waitFor(() => expect(patches()).toHaveLength(1))
    expect(patches()[0].answers).toEqual({ is_urgent: 'yes', route: 'By the yard' })
    await waitFor(() => expect(boxes()).toBe(0))
  })

  test('leads to the section that the server refuses', async () => {
    fakeServer.use({ [PATCH]: { status: 400, data: { 'answers.wish': ['Is too short'] } } })
    await openCase()
    await change('Referral')
    await userEvent.type(box(/^Why/), '!')
    await save()
    await userEvent.click(await screen.findByRole('link', { name: 'Is too short' }))
    await waitFor(() => expect(document.activeElement).toBe(box(/^Wish \(/)))
    expect(box(/^Why/).value).toBe('Because!')
  })
})

describe('never loses what was typed', () => {
  test('in a conflict', async () => {
    const theirs = { ...CASE, version: 5, answers: { why: 'Theirs', wish: 'To stay' } }
    const conflict = {
      code: 'conflict',
      fields: { 'answers.why': { base: 'Because', mine: 'Mine', theirs: 'Theirs', by: 'Bob' } },
      current: theirs,
    }
    await openCase()
    await change('Referral')
    await userEvent.clear(box(/^Why/))
    await userEvent.type(box(/^Why/), 'Mine')
    fakeServer.use({
      [PATCH]: ({ body }) =>
        body.version === 3
          ? { status: 409, data: conflict }
          : { data: { ...theirs, version: 6, answers: { ...theirs.answers, why: 'Mine' } } },
    })
    await save()
    const panel = within((await screen.findByText(/^Changed by Bob/)).closest<HTMLElement>('.conflict')!)
    await userEvent.click(panel.getByLabelText('Keep mine: Mine'))
    record = { ...theirs, version: 6, answers: { ...theirs.answers, why: 'Mine' } }
    await userEvent.click(panel.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(patches()[1]).toMatchObject({ answers: { why: 'Mine' }, version: 5 }))
    await waitFor(() => expect(rows('Referral')).toEqual([['Why', 'Mine']]))
    expect(rows('Wishes')).toEqual([['Wish', 'To stay']])
  })

  test('Cancel of a conflict takes what others saved', async () => {
    const theirs = { ...CASE, version: 5, answers: { why: 'Theirs' } }
    const fields = { 'answers.why': { base: 'Because', mine: 'Mine', theirs: 'Theirs', by: 'Bob' } }
    fakeServer.use({ [PATCH]: { status: 409, data: { code: 'conflict', fields, current: theirs } } })
    await openCase()
    await change('Referral')
    await userEvent.type(box(/^Why/), '!')
    await save()
    await screen.findByText(/^Changed by Bob/)
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByText(/^Changed by Bob/)).toBeNull()
    expect(rows('Referral')).toEqual([['Why', 'Theirs']])
  })

  /** Types into two sections and saves, while Bob has saved the first field of the first one. */
  async function openConflict() {
    const theirs = { ...CASE, version: 5, answers: { why: 'Theirs' } }
    const fields = { 'answers.why': { base: 'Because', mine: 'Because!', theirs: 'Theirs', by: 'Bob' } }
    const conflict = { code: 'conflict', fields, current: theirs }
    fakeServer.use({
      [PATCH]: ({ body }) =>
        body.version === 3
          ? { status: 409, data: conflict }
          : { data: { ...theirs, version: 6, answers: { ...theirs.answers, ...(body.answers as Values) } } },
    })
    await openCase()
    await change('Referral')
    await userEvent.type(box(/^Why/), '!')
    await change('Wishes')
    await userEvent.type(box(/^Wish \(/), 'Go home')
    await save()
    await screen.findByText(/^Changed by Bob/)
  }
  const cancel = (name: string) => userEvent.click(card(name).getByRole('button', { name: 'Cancel' }))

  test('in another section when the one with the conflict is cancelled', async () => {
    await openConflict()
    await cancel('Referral')
    expect(screen.queryByText(/^Changed by Bob/)).toBeNull()
    expect(rows('Referral')).toEqual([['Why', 'Theirs']])
    expect(box(/^Wish \(/).value).toBe('Go home')
    await save()
    await waitFor(() =>
      expect(patches()[1]).toEqual({ answers: { wish: 'Go home' }, version: 5, case_type_version: 1 }),
    )
  })

  test('in the section with the conflict when another is cancelled, and shows the conflict again', async () => {
    await openConflict()
    await cancel('Wishes')
    expect(screen.queryByText(/^Changed by Bob/)).toBeNull()
    expect(box(/^Why/).value).toBe('Because!')
    await save()
    await screen.findByText(/^Changed by Bob/)
    expect(patches()[1]).toEqual({ answers: { why: 'Because!' }, version: 3, case_type_version: 1 })
  })

  test('and Cancel takes what others saved in the field meanwhile, which the next save does not overwrite', async () => {
    await openCase()
    await change('Referral')
    await userEvent.type(box(/^Why/), '!')
    record = { ...CASE, version: 5, answers: { why: 'Theirs', by: 'A nurse' } }
    await act(() => {
      window.dispatchEvent(new Event('visibilitychange'))
    })
    await waitFor(() => expect(box(/^Referred by/).value).toBe('A nurse'))
    expect(box(/^Why/).value).toBe('Because!')
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(rows('Referral')).toEqual([
      ['Why', 'Theirs'],
      ['Referred by', 'A nurse'],
    ])
    await change('Wishes')
    await userEvent.type(box(/^Wish \(/), 'Go home')
    await save()
    await waitFor(() =>
      expect(patches()).toEqual([{ answers: { wish: 'Go home' }, version: 5, case_type_version: 1 }]),
    )
  })

  test('when others change the record or the form meanwhile', async () => {
    await openCase()
    await change('Referral')
    await userEvent.type(box(/^Why/), ' typed')
    record = { ...CASE, version: 4, answers: { why: 'Because', by: 'A nurse' } }
    metaVersion = 2
    // The question moves into a group that is not open.
    meta = [
      { ...REFERRAL, fields: REFERRAL.fields.slice(1) },
      VISIT,
      { ...EMPTY, fields: [...EMPTY.fields, REFERRAL.fields[0]] },
    ]
    await act(() => {
      window.dispatchEvent(new Event('visibilitychange'))
    })
    await screen.findByText(/The form “IMCA” was changed/)
    expect(box(/^Why/).value).toBe('Because typed')
    expect(box(/^Referred by/).value).toBe('A nurse')
    await save()
    await waitFor(() => expect(patches()).toHaveLength(1))
    expect(patches()[0]).toEqual({ answers: { why: 'Because typed' }, version: 4, case_type_version: 1 })
  })

  test('of a question that is no longer asked', async () => {
    await openCase()
    await change('Wishes')
    await userEvent.type(box(/^Wish \(/), 'Go home')
    metaVersion = 2
    meta = [REFERRAL, VISIT]
    await act(() => {
      window.dispatchEvent(new Event('visibilitychange'))
    })
    expect(await screen.findByText('Answers kept, no longer asked (1)')).toBeTruthy()
    await save()
    await waitFor(() => expect(patches()).toHaveLength(1))
    expect(patches()[0].answers).toEqual({ wish: 'Go home' })
  })

  test('while a save is under way', async () => {
    let end = () => {}
    const pending = new Promise<void>((resolve) => {
      end = resolve
    })
    fakeServer.use({
      [PATCH]: () => pending.then(() => ({ data: { ...CASE, version: 4, answers: { why: 'One' } } })),
    })
    await openCase()
    await change('Referral')
    await userEvent.clear(box(/^Why/))
    await userEvent.type(box(/^Why/), 'One')
    await save()
    await userEvent.type(box(/^Referred by/), 'Two')
    record = { ...CASE, version: 4, answers: { why: 'One' } }
    await act(async () => end())
    await waitFor(() =>
      expect(notices.map((notice) => notice.text)).toEqual([expect.stringMatching(/^Saved: ./)]),
    )
    expect(box(/^Referred by/).value).toBe('Two')
  })

  test('in a section that was opened while another was being saved', async () => {
    let end = () => {}
    const pending = new Promise<void>((resolve) => {
      end = resolve
    })
    fakeServer.use({
      [PATCH]: () => pending.then(() => ({ data: { ...CASE, version: 4, answers: { why: 'Because!' } } })),
    })
    await openCase()
    await change('Referral')
    await userEvent.type(box(/^Why/), '!')
    await save()
    await change('Wishes')
    record = { ...CASE, version: 4, answers: { why: 'Because!' } }
    await act(async () => end())
    await waitFor(() => expect(screen.queryByLabelText(/^Why/)).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(box(/^Wish \(/)))
  })

  test('asks before the page is left, and offers it again after the session has ended', async () => {
    const { unmount } = await openCase()
    await change('Wishes')
    await userEvent.type(box(/^Wish \(/), 'Go home')
    await userEvent.click(screen.getByText('Elsewhere'))
    expect(await screen.findByText('Warning! You have unsaved changes')).toBeTruthy()
    const question = within(screen.getByRole('alertdialog'))
    await userEvent.click(question.getByRole('button', { name: 'Cancel' }))
    unmount()
    await openCase()
    await userEvent.click(screen.getByRole('button', { name: 'Put it back' }))
    expect(box(/^Wish \(/).value).toBe('Go home')
  })
})
