import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Link } from 'react-router-dom'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Field, Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import type { Notice } from '../../src/engine/core/notices.ts'
import { applyVersionEvents } from '../../src/engine/core/versionEvents.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer } from './fakeServer.ts'
import { open, person } from './open.tsx'
import { lookupHandlers } from './product.ts'

const META: Group[] = [
  {
    name: 'g',
    label: 'Referral',
    fields: [
      { name: 'why', label: 'Why', type: 'text' },
      { name: 'is_urgent', label: 'Urgent', type: 'yesno' },
      {
        name: 'urgent_reason',
        label: 'Why urgent',
        type: 'text',
        attrs: { required: true, when: { is_urgent: 'yes' } },
      },
      { name: 'gap', label: 'Gap', type: 'text', attrs: { required: true } },
    ],
  },
]
const CASE: Values = {
  id: 7,
  version: 3,
  client: 9,
  service: 1,
  case_type: 1,
  contract: 1,
  council_area: null,
  patient_dob: null,
  patient_dod: null,
  answers: { why: 'Because' },
}
/** Every save sends the version of the form. */
const META_VERSION = { case_type_version: 1 }
let record: Values
let meta: Group[]
let metaVersion: number
let notices: Notice[]
const GET = 'GET /case/7/'
const PATCH = 'PATCH /case/7/'

beforeEach(() => {
  record = CASE
  meta = META
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

const patches = () => fakeServer.requestsTo(PATCH).map(({ body }) => body)

async function openCase(groups = [4]) {
  const form = { ...contract.screens['case-details'], opens: undefined }
  const opened = await open({ 'case-details': form }, '/cases/7/details', {
    contract,
    person: person(groups),
    // Returning to the page reads everything again.
    staleTime: 0,
    beside: <Link to="/elsewhere">Elsewhere</Link>,
    more: [{ path: '/elsewhere', element: <Link to="/cases/7/details">Back</Link> }],
  })
  notices = opened.notices
  await screen.findByText('Referral')
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull())
  return opened
}
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))
const box = (label: RegExp) => screen.getByLabelText(label) as HTMLInputElement
const retype = async (label: RegExp, text: string) => {
  await userEvent.clear(box(label))
  if (text) await userEvent.type(box(label), text)
}

describe('a record that embeds others', () => {
  const inside = { id: 1, label: 'IMCA', case_meta: META, issue_meta: [] }
  const embedding = (more: object = {}) => ({
    ...record,
    service: { id: 1, label: 'Advocacy' },
    case_type: { ...inside, version: metaVersion },
    ...more,
  })
  const caseTypeReads = () => fakeServer.requestsTo('GET /case_type/1/')

  test('is drawn without reading these by their own calls, and saves without them', async () => {
    fakeServer.use({
      [GET]: () => ({ data: embedding() }),
      [PATCH]: ({ body }) => ({
        data: embedding({ version: 4, answers: { ...META, ...(body.answers as Values) } }),
      }),
    })
    await openCase()
    await retype(/^Why \(/, 'New')
    expect(caseTypeReads()).toEqual([])
    await save()
    await waitFor(() =>
      expect(notices).toEqual([{ kind: 'success', text: expect.stringMatching(/^Saved: ./) }]),
    )
    expect(patches()).toEqual([{ answers: { why: 'New' }, version: 3, ...META_VERSION }])
  })

  test('says that it is saved before what it shows is read again', async () => {
    await openCase()
    await retype(/^Why \(/, 'New')
    let answer = () => {}
    const pending = new Promise<void>((resolve) => {
      answer = resolve
    })
    fakeServer.use({
      [GET]: () => pending.then(() => ({ data: record })),
      [PATCH]: () => ({ data: { ...record, version: 4 } }),
    })
    await save()
    await waitFor(() =>
      expect(notices).toEqual([{ kind: 'success', text: expect.stringMatching(/^Saved: ./) }]),
    )
    await act(async () => answer())
  })

  test('shows the form that came with it, where that is newer than the one that was read', async () => {
    await openCase()
    metaVersion = 2
    const [group] = META
    const newer = [
      { ...group, fields: [...group.fields, { name: 'more', label: 'More', type: 'text' as const }] },
    ]
    meta = newer
    fakeServer.use({
      [PATCH]: () => ({
        data: embedding({ version: 4, case_type: { ...inside, version: 2, case_meta: newer } }),
      }),
    })
    await retype(/^Why \(/, 'New')
    await save()
    expect(await screen.findByLabelText(/^More/)).toBeTruthy()
  })

  test('keeps what is typed while a newer version of one of them is read', async () => {
    fakeServer.use({ [GET]: () => ({ data: embedding() }) })
    const { client } = await openCase()
    await retype(/^Why \(/, 'Half a sen')
    let answer = () => {}
    metaVersion = 2
    fakeServer.use({
      'GET /case_type/1/': () =>
        new Promise((resolve) => {
          answer = () => resolve({ data: { ...inside, version: 2 } })
        }),
    })
    act(() => applyVersionEvents(contract, client, [{ entity: 'caseType', id: 1, version: 2 }]))
    await waitFor(() => expect(caseTypeReads()).toHaveLength(1))
    expect(box(/^Why \(/).value).toBe('Half a sen')
    await act(async () => answer())
    expect(box(/^Why \(/).value).toBe('Half a sen')
  })

  test('compares what others saved by their ids in a conflict', async () => {
    fakeServer.use({
      [GET]: () => ({ data: embedding() }),
      [PATCH]: () => ({
        status: 409,
        data: {
          code: 'conflict',
          fields: { 'answers.why': { base: 'Because', mine: 'Mine', theirs: 'Theirs', by: 'Ann' } },
          current: embedding({ version: 5, answers: { why: 'Theirs' } }),
        },
      }),
    })
    await openCase()
    await retype(/^Why \(/, 'Mine')
    await save()
    await userEvent.click(await screen.findByRole('radio', { name: /^Take theirs/ }))
    await userEvent.click(within(screen.getByRole('alert')).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(notices.at(-1)?.text).toBe('Their change is kept'))
    expect(box(/^Why \(/).value).toBe('Theirs')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('saving', () => {
  test('sends changed values with the version; null clears; older gaps do not block it', async () => {
    await openCase()
    expect(screen.getByRole('heading', { level: 1, name: 'Details' })).toBeTruthy()
    await retype(/^Why \(/, '')
    fireEvent.change(box(/^Date of birth of/), { target: { value: '1950-02-01' } })
    await save()
    await waitFor(() =>
      expect(notices).toEqual([{ kind: 'success', text: expect.stringMatching(/^Saved: ./) }]),
    )
    expect(patches()).toEqual([
      { patient_dob: '1950-02-01', answers: { why: null }, version: 3, ...META_VERSION },
    ])
    await retype(/^Why \(/, 'Again')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(patches()).toHaveLength(2))
    expect(patches()[1]).toEqual({ answers: { why: 'Again' }, version: 4, ...META_VERSION })
  })

  test('requires revealed fields; shows the server’s validation errors at their fields', async () => {
    await openCase()
    fireEvent.click(screen.getByLabelText('Yes'))
    await save()
    expect(
      within(screen.getByRole('alert'))
        .getAllByRole('link')
        .map((l) => l.textContent),
    ).toEqual(['Answer “Why urgent”'])
    expect(patches()).toEqual([])
    await userEvent.type(box(/^Why urgent/), 'Now')
    const errors = { 'answers.urgent_reason': ['Is too short'], council_area: ['Council area is not open'] }
    fakeServer.use({ [PATCH]: { status: 400, data: errors } })
    await save()
    await waitFor(() => expect(screen.getAllByText('Council area is not open')).toHaveLength(2))
    expect(
      document.getElementById(box(/^Why urgent/).getAttribute('aria-describedby')!)!.textContent,
    ).toContain('Is too short')
    expect(notices).toEqual([])
  })

  test('is not stopped by a stored answer that its field no longer allows, only by a new one', async () => {
    const age: Field = { name: 'age', label: 'Age', type: 'integer', attrs: { max: 10 } }
    meta = [{ ...META[0], fields: [...META[0].fields, age] }]
    record = { ...CASE, answers: { why: 'Because', age: 12 } }
    await openCase()
    await retype(/^Why \(/, 'New')
    await save()
    await waitFor(() => expect(patches()).toHaveLength(1))
    await retype(/^Age/, '13')
    await save()
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(patches()).toHaveLength(1)
  })

  describe('that takes its time', () => {
    /** Saves, and returns the function that replies. */
    async function beginSave() {
      let reply = (_: Values) => {}
      const pending = new Promise<Values>((resolve) => {
        reply = resolve
      })
      fakeServer.use({ [PATCH]: () => pending.then((data) => ({ data })) })
      await save()
      await waitFor(() => expect(patches()).toHaveLength(1))
      return async (data: Values, stored = data) => {
        record = stored
        fakeServer.use({ [PATCH]: ({ body }) => ({ data: { ...stored, ...body, version: 9 } }) })
        await act(async () => reply(data))
        await waitFor(() => expect(notices.at(-1)?.text).toMatch(/^Saved/))
      }
    }

    test('keeps what is typed back to what it was before', async () => {
      await openCase()
      await retype(/^Why \(/, 'Mine')
      const reply = await beginSave()
      await retype(/^Why \(/, 'Because')
      await reply({ ...CASE, version: 4, answers: { why: 'Mine' } })
      expect(box(/^Why \(/).value).toBe('Because')
      await save()
      await waitFor(() =>
        expect(patches()[1]).toEqual({ answers: { why: 'Because' }, version: 4, ...META_VERSION }),
      )
    })

    test('is no conflict with what is typed meanwhile, where the server stored something else', async () => {
      await openCase()
      await retype(/^Why \(/, 'Mine')
      const reply = await beginSave()
      await retype(/^Why \(/, 'Mine too')
      await reply({ ...CASE, version: 4, answers: { why: 'Stored' } })
      await save()
      await waitFor(() =>
        expect(patches()[1]).toEqual({ answers: { why: 'Mine too' }, version: 4, ...META_VERSION }),
      )
    })

    test('does not bring an older record back, where a newer one was read before the reply', async () => {
      await openCase()
      await retype(/^Why \(/, 'Mine')
      const reply = await beginSave()
      record = { ...CASE, version: 5, answers: { why: 'Mine', gap: 'Theirs' } }
      await act(() => {
        window.dispatchEvent(new Event('visibilitychange'))
      })
      await waitFor(() => expect(box(/^Gap/).value).toBe('Theirs'))
      await reply({ ...CASE, version: 4, answers: { why: 'Mine' } }, record)
      expect(box(/^Gap/).value).toBe('Theirs')
      await retype(/^Why \(/, 'Again')
      await save()
      await waitFor(() =>
        expect(patches()[1]).toEqual({ answers: { why: 'Again' }, version: 5, ...META_VERSION }),
      )
    })

    test('shows what somebody else saved over it, where that was read before the reply', async () => {
      const { client } = await openCase()
      await retype(/^Why \(/, 'Mine')
      const reply = await beginSave()
      const newest = { ...CASE, version: 5, answers: { why: 'Theirs', gap: 'Also theirs' } }
      record = newest
      await act(() => {
        window.dispatchEvent(new Event('visibilitychange'))
      })
      await waitFor(() => expect(box(/^Gap/).value).toBe('Also theirs'))
      expect(box(/^Why \(/).value).toBe('Mine')
      await reply({ ...CASE, version: 4, answers: { why: 'Mine' } }, newest)
      await waitFor(() => expect(box(/^Why \(/).value).toBe('Theirs'))
      expect(box(/^Gap/).value).toBe('Also theirs')
      const [read] = client.getQueryCache().findAll({ queryKey: ['call', 'cases.read'] })
      expect(read.state.data).toMatchObject({ version: 5 })
      await retype(/^Gap/, 'Again')
      await save()
      await waitFor(() =>
        expect(patches()[1]).toEqual({ answers: { gap: 'Again' }, version: 5, ...META_VERSION }),
      )
    })

    test('does not bring back what is cleared elsewhere meanwhile', async () => {
      record = { ...CASE, answers: { why: 'Because', gap: 'Old' } }
      meta = [
        {
          ...META[0],
          fields: META[0].fields.map((one) => ({ ...one, attrs: { ...one.attrs, required: false } })),
        },
      ]
      await openCase()
      await retype(/^Why \(/, 'Mine')
      const reply = await beginSave()
      await retype(/^Gap/, '')
      await reply({ ...CASE, version: 4, answers: { why: 'Mine', gap: 'Old' } })
      await save()
      await waitFor(() =>
        expect(patches()[1]).toEqual({ answers: { gap: null }, version: 4, ...META_VERSION }),
      )
      expect(box(/^Gap/).value).toBe('')
    })

    test('is sent once, and a second one says nothing, also where all is typed back meanwhile', async () => {
      await openCase()
      await retype(/^Why \(/, 'Mine')
      const reply = await beginSave()
      await userEvent.keyboard('{Control>}{Enter}{/Control}')
      await retype(/^Why \(/, 'Because')
      await userEvent.keyboard('{Control>}{Enter}{/Control}')
      expect([patches().length, notices]).toEqual([1, []])
      await reply({ ...CASE, version: 4, answers: { why: 'Mine' } })
      expect(notices).toHaveLength(1)
    })

    test('is a conflict again, where somebody else put back over it what was there before', async () => {
      await openCase()
      await retype(/^Why \(/, 'Mine')
      const reply = await beginSave()
      await retype(/^Why \(/, 'Mine too')
      const newest = { ...CASE, version: 5, answers: { why: 'Because', gap: 'Theirs' } }
      record = newest
      await act(() => {
        window.dispatchEvent(new Event('visibilitychange'))
      })
      await waitFor(() => expect(box(/^Gap/).value).toBe('Theirs'))
      await reply({ ...CASE, version: 4, answers: { why: 'Mine' } }, newest)
      await save()
      await waitFor(() =>
        expect(patches()[1]).toEqual({ answers: { why: 'Mine too' }, version: 4, ...META_VERSION }),
      )
    })
  })

  test('asks too of what is typed while a conflict waits, where others have changed it before', async () => {
    await openCase()
    await retype(/^Why \(/, 'Mine')
    const current = { ...CASE, version: 5, answers: { why: 'Theirs', gap: 'Also theirs' } }
    const fields = { 'answers.why': { base: 'Because', mine: 'Mine', theirs: 'Theirs', by: 'Bob' } }
    fakeServer.use({ [PATCH]: { status: 409, data: { code: 'conflict', fields, current } } })
    await save()
    const panel = within(await screen.findByRole('alert'))
    await retype(/^Gap/, 'My gap')
    await userEvent.click(panel.getByRole('radio', { name: 'Keep mine: Mine' }))
    await userEvent.click(panel.getByRole('button', { name: 'Save' }))
    expect(panel.getByRole('heading', { name: 'Changed meanwhile' })).toBeTruthy()
    expect(panel.queryByRole('radio', { name: 'Keep mine: Mine' })).toBeNull()
    await userEvent.click(panel.getByRole('button', { name: 'Save' }))
    expect(patches()).toHaveLength(1)
    expect(box(/^Gap/).value).toBe('My gap')
    await userEvent.click(panel.getByRole('radio', { name: 'Take theirs: Also theirs' }))
    fakeServer.use({
      [PATCH]: { data: { ...current, version: 6, answers: { why: 'Mine', gap: 'Also theirs' } } },
    })
    await userEvent.click(panel.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(patches()[1]).toEqual({ answers: { why: 'Mine' }, version: 5, ...META_VERSION }),
    )
    expect(box(/^Gap/).value).toBe('Also theirs')
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })

  test('takes theirs of a conflict as it is by now, and asks again where mine is kept', async () => {
    const current = { ...CASE, version: 5, answers: { why: 'Theirs', gap: 'First' } }
    const fields = {
      'answers.why': { base: 'Because', mine: 'Mine', theirs: 'Theirs', by: 'Bob' },
      'answers.gap': { base: null, mine: 'My gap', theirs: 'First', by: 'Bob' },
    }
    await openCase()
    await retype(/^Why \(/, 'Mine')
    await retype(/^Gap/, 'My gap')
    fakeServer.use({ [PATCH]: { status: 409, data: { code: 'conflict', fields, current } } })
    await save()
    const panel = within(await screen.findByRole('alert'))
    record = { ...CASE, version: 6, answers: { why: 'Newest', gap: 'Second' } }
    await act(() => {
      window.dispatchEvent(new Event('visibilitychange'))
    })
    await waitFor(() => expect(fakeServer.requestsTo(GET)).toHaveLength(2))
    await userEvent.click(panel.getByRole('radio', { name: 'Take theirs: Theirs' }))
    await userEvent.click(panel.getByRole('radio', { name: 'Keep mine: My gap' }))
    await userEvent.click(panel.getByRole('button', { name: 'Save' }))
    expect(await panel.findByRole('radio', { name: 'Take theirs: Second' })).toBeTruthy()
    expect(panel.getAllByRole('radio').filter((one) => (one as HTMLInputElement).checked)).toEqual([])
    expect([box(/^Why \(/).value, box(/^Gap/).value, patches().length]).toEqual(['Newest', 'My gap', 1])
  })

  test('waits until a conflict is resolved, and leads back to it', async () => {
    await openCase()
    await retype(/^Why \(/, 'Mine')
    const data = {
      code: 'conflict',
      message: 'Changed meanwhile',
      fields: { 'answers.why': { base: 'Because', mine: 'Mine', theirs: 'Theirs', by: 'Bob' } },
      current: { ...CASE, version: 5, answers: { why: 'Theirs' } },
    }
    fakeServer.use({ [PATCH]: { status: 409, data } })
    await save()
    const panel = await screen.findByRole('alert')
    expect(notices).toEqual([])
    await retype(/^Gap/, 'x')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(document.activeElement).toBe(panel))
    expect(patches()).toHaveLength(1)
  })

  test('lets a person go who left while it was under way, once it has ended well', async () => {
    await openCase()
    await retype(/^Why \(/, 'Mine')
    let end = () => {}
    const pending = new Promise<void>((resolve) => {
      end = resolve
    })
    fakeServer.use({
      [PATCH]: ({ body }) => pending.then(() => ({ data: { ...record, ...body, version: 4 } })),
    })
    await save()
    await userEvent.click(screen.getByRole('link', { name: 'Elsewhere' }))
    expect(await screen.findByRole('alertdialog')).toBeTruthy()
    end()
    expect(await screen.findByRole('link', { name: 'Back' })).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })

  test('resolves a conflict field by field, and keeps typed values', async () => {
    await openCase()
    await retype(/^Why \(/, 'Mine')
    fireEvent.click(screen.getByLabelText('No'))
    fireEvent.change(box(/^Date of birth of/), { target: { value: '1950-02-01' } })
    const theirs = {
      ...CASE,
      version: 5,
      council_area: 2,
      answers: { why: 'Theirs', is_urgent: 'not_known', gap: 'x' },
    }
    const conflict = {
      code: 'conflict',
      message: 'Changed meanwhile',
      fields: {
        'answers.why': {
          base: 'Because',
          mine: 'Mine',
          theirs: 'Theirs',
          by: 'Bob',
          at: '2026-06-04T10:42:00Z',
        },
        'answers.is_urgent': {
          base: null,
          mine: 'no',
          theirs: 'not_known',
          by: 'Bob',
          at: '2026-06-04T10:42:00Z',
        },
      },
      current: theirs,
    }
    fakeServer.use({ [PATCH]: { status: 409, data: conflict } })
    await save()
    expect(await screen.findByText(/^Changed by Bob at 4 June 2026/)).toBeTruthy()
    const panel = within(document.querySelector<HTMLElement>('.conflict')!)
    await userEvent.click(panel.getByLabelText('Keep mine: Mine'))
    await userEvent.click(panel.getByLabelText('Take theirs: Not known'))
    record = theirs
    fakeServer.use({
      [PATCH]: ({ body }) => {
        record = {
          ...theirs,
          version: 6,
          patient_dob: '1950-02-01',
          answers: { ...theirs.answers, ...(body.answers as Values) },
        }
        return { data: record }
      },
    })
    await userEvent.click(panel.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(patches()).toHaveLength(2))
    expect(patches()[1]).toEqual({
      patient_dob: '1950-02-01',
      answers: { why: 'Mine' },
      version: 5,
      ...META_VERSION,
    })
    await waitFor(() =>
      expect(notices.at(-1)).toEqual({ kind: 'success', text: expect.stringMatching(/^Saved: ./) }),
    )
    expect(box(/^Gap/).value).toBe('x')
    expect((screen.getByLabelText('Not known') as HTMLInputElement).checked).toBe(true)
  })
})

describe('a stored record with gaps', () => {
  test('lists the gaps with links, until they are filled', async () => {
    record = { ...CASE, invalid_fields: ['gap', 'hidden_now'] }
    await openCase()
    const note = screen.getByText(/^Missing or wrong/).parentElement!
    expect(within(note).getAllByRole('link')).toHaveLength(1)
    await userEvent.click(within(note).getByRole('link', { name: 'Gap' }))
    expect(document.activeElement).toBe(box(/^Gap/))
    await userEvent.keyboard('Filled')
    fakeServer.use({
      [PATCH]: () => {
        record = { ...record, version: 4, answers: { why: 'Because', gap: 'Filled' }, invalid_fields: [] }
        return { data: record }
      },
    })
    await save()
    await waitFor(() => expect(screen.queryByText(/^Missing or wrong/)).toBeNull())
  })

  test('lists nothing without gaps', async () => {
    await openCase()
    expect(screen.queryByText(/^Missing or wrong/)).toBeNull()
  })
})

describe('changes by others meanwhile', () => {
  test('update unedited values, keep edited ones, and render the new form', async () => {
    await openCase()
    await userEvent.type(box(/^Gap/), 'typed')
    record = { ...CASE, version: 4, answers: { why: 'Changed', gap: undefined } }
    metaVersion = 2
    meta = [{ ...META[0], fields: [...META[0].fields, { name: 'new', label: 'Brand new', type: 'text' }] }]
    await act(() => {
      window.dispatchEvent(new Event('visibilitychange'))
    })
    await waitFor(() => expect(box(/^Why \(/).value).toBe('Changed'))
    expect(await screen.findByLabelText(/^Brand new/)).toBeTruthy()
    expect(screen.getByText(/The form “IMCA” was changed/)).toBeTruthy()
    expect(box(/^Gap/).value).toBe('typed')
    await save()
    await waitFor(() =>
      expect(patches()).toEqual([{ answers: { gap: 'typed' }, version: 4, ...META_VERSION }]),
    )
  })

  test('that conflict with an edited value are sent to the server with the old version', async () => {
    await openCase()
    await retype(/^Why \(/, 'Mine')
    record = { ...CASE, version: 4, answers: { why: 'Theirs' } }
    await act(() => {
      window.dispatchEvent(new Event('visibilitychange'))
    })
    await waitFor(() => expect(fakeServer.requestsTo(GET)).toHaveLength(2))
    expect(box(/^Why \(/).value).toBe('Mine')
    await save()
    await waitFor(() =>
      expect(patches()).toEqual([{ answers: { why: 'Mine' }, version: 3, ...META_VERSION }]),
    )
  })
})

describe('a form that is published again while it is open', () => {
  const publish = async (fields: Field[]) => {
    metaVersion += 1
    meta = [{ ...META[0], fields }]
    await act(() => {
      window.dispatchEvent(new Event('visibilitychange'))
    })
    await screen.findByText(/The form “IMCA” was changed/)
  }
  const off = (field: Field): Field => ({ ...field, attrs: { ...field.attrs, is_on: false } })
  const [why, urgent, reason, gap] = META[0].fields

  test('lists the changes, keeps text of a removed field, and moves the focus to the next field', async () => {
    await openCase()
    await userEvent.type(box(/^Why \(/), ' of the fall')
    expect(document.activeElement).toBe(box(/^Why \(/))
    const more: Field = { name: 'new', label: 'Brand new', type: 'text', attrs: { required: true } }
    await publish([off(why), { ...urgent, label: 'Is it urgent' }, reason, gap, more])
    const note = screen.getByText(/No longer asked: Why\. New: Brand new\./)
    expect(note.textContent).toContain('Must be answered now: Brand new. Changed: Is it urgent.')
    expect(screen.queryByLabelText(/^Why \(/)).toBeNull()
    expect(document.activeElement?.closest('fieldset')?.textContent).toMatch(/^Is it urgent/)
    const kept = screen.getByText('Answers kept, no longer asked (1)').parentElement!
    expect(within(kept).getByText('Because of the fall')).toBeTruthy()
    await userEvent.type(box(/^Gap/), 'x')
    await save()
    const answers = { why: 'Because of the fall', gap: 'x' }
    await waitFor(() => expect(patches()).toEqual([{ answers, version: 3, ...META_VERSION }]))
    expect(within(kept).getByText('Because of the fall')).toBeTruthy()
    await retype(/^Gap/, 'y')
    await save()
    await waitFor(() =>
      expect(patches()[1]).toEqual({ answers: { gap: 'y' }, version: 4, case_type_version: 2 }),
    )
  })

  test('warns of the values of a removed field that the server did not save', async () => {
    await openCase()
    await userEvent.type(box(/^Why \(/), '!')
    await publish([off(why), urgent, reason, gap])
    await userEvent.type(box(/^Gap/), 'x')
    fakeServer.use({ [PATCH]: { data: { ...record, version: 4, answers: { gap: 'x' } } } })
    await save()
    await waitFor(() => expect(notices.some(({ kind }) => kind === 'warning')).toBe(true))
    expect(notices.find(({ kind }) => kind === 'warning')!.text).toMatch(/“Why” .*“Because!”.* not saved/)
  })

  test('moves the focus to the previous field if the last one is removed, and not if another had the focus', async () => {
    await openCase()
    await userEvent.type(box(/^Gap/), 'x')
    await publish([why, urgent, off(gap)])
    expect(document.activeElement?.closest('fieldset')?.textContent).toMatch(/^Urgent/)
    await userEvent.type(box(/^Why \(/), 'x')
    await publish([why, off(urgent), gap])
    await screen.findByLabelText(/^Gap/)
    await waitFor(() => expect(document.activeElement).toBe(box(/^Why \(/)))
    expect(screen.getByText(/No longer asked: Urgent\. This note/)).toBeTruthy()
    expect(box(/^Gap/).value).toBe('x')
    expect(screen.queryByText(/^Answers kept/)).toBeNull()
    await publish([off(why), off(urgent), gap])
    expect(await screen.findByText('Answers kept, no longer asked (1)')).toBeTruthy()
  })

  test('shows a hidden answer when the person shows its question again, and says what a save counts', async () => {
    const hidden = { urgent_reason: { value: 'Soon', since: '2026-06-04T09:00:00Z', by: 7 } }
    record = { ...CASE, answers: { why: 'Because', gap: 'x', is_urgent: 'no' }, hidden_answers: hidden }
    const listed = { id: 7, name: 'urgent_reason', label: 'Why urgent', value: 'Soon' }
    const path = '/api/cases/7/hidden_answers'
    fakeServer.use({
      [`GET ${path}`]: () => ({
        data:
          record.hidden_answers === hidden
            ? [{ ...listed, since: hidden.urgent_reason.since, by: 'Ann Ames' }]
            : [],
      }),
      [PATCH]: () => {
        const answers = { ...(record.answers as Values), is_urgent: 'yes', urgent_reason: 'Soon' }
        record = { ...record, version: 4, answers, hidden_answers: {} }
        return { data: record }
      },
    })
    await openCase()
    const list = (await screen.findByText('No longer counted (1)')).parentElement!
    expect(within(list).getByText('Soon')).toBeTruthy()
    expect(within(list).getByText(/^since .*, Ann Ames$/)).toBeTruthy()
    expect(within(list).getByRole('button', { name: /^Delete/ })).toBeTruthy()
    expect(screen.queryByText(/^Answers kept/)).toBeNull()
    await userEvent.click(screen.getByRole('radio', { name: 'Yes' }))
    expect(box(/^Why urgent/).value).toBe('Soon')
    await save()
    await waitFor(() => expect(notices.at(-1)?.text).toBe('Saved: Urgent. Counted again: Why urgent'))
    expect(patches()).toEqual([{ answers: { is_urgent: 'yes' }, version: 3, ...META_VERSION }])
    expect(screen.queryByText(/^No longer counted/)).toBeNull()
    expect(box(/^Why urgent/).value).toBe('Soon')

    fakeServer.use({
      [PATCH]: () => {
        record = {
          ...record,
          version: 5,
          answers: { why: 'Because', gap: 'x', is_urgent: 'no' },
          hidden_answers: hidden,
        }
        return { data: record }
      },
    })
    await userEvent.click(screen.getByRole('radio', { name: 'No' }))
    await save()
    await waitFor(() => expect(notices.at(-1)?.text).toBe('Saved: Urgent. No longer counted: Why urgent'))
    expect(await screen.findByText('No longer counted (1)')).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: 'Yes' }))
    expect(box(/^Why urgent/).value).toBe('Soon')
  })

  test('is evaluated with what was seen outside of it, lists that, and takes the latest', async () => {
    const seen = { value: '2016-05-03', record: 9, day: '2026-05-01' }
    const guardian: Field = {
      name: 'guardian',
      label: 'Guardian',
      type: 'text',
      attrs: { when: { '$client.dob': { min: '2015-01-01' } }, help: 'Before: {$last.why}' },
    }
    const still: Field = {
      name: 'still',
      label: 'Still',
      type: 'text',
      attrs: { when: { '$last.why': 'x' } },
    }
    meta = [{ ...META[0], fields: [...META[0].fields, guardian, still] }]
    const withheld = { value: null, isWithheld: true }
    record = { ...CASE, answers_seen: { '$client.dob': seen, '$last.why': withheld } }
    fakeServer.use({
      'POST /api/cases/7/take_latest': () => {
        record = {
          ...record,
          version: 4,
          answers_seen: { '$client.dob': { ...seen, value: '1980-01-01' }, '$last.why': withheld },
        }
        return { data: record }
      },
    })
    await openCase()
    expect(screen.getByLabelText(/^Guardian/)).toBeTruthy()
    expect(screen.getByText('Before: from a record you cannot see')).toBeTruthy()
    expect(screen.queryByLabelText(/^Still/)).toBeNull()
    const list = screen.getByText('Values from other records (2)').parentElement!
    expect(within(list).getByText("Client's date of birth")).toBeTruthy()
    expect(within(list).getByText('3 May 2016')).toBeTruthy()
    expect(within(list).getByText('as of 1 May 2026')).toBeTruthy()
    await userEvent.click(within(list).getByRole('button', { name: 'Take the latest', hidden: true }))
    await waitFor(() => expect(screen.queryByLabelText(/^Guardian/)).toBeNull())
  })

  test('shows kept answers of columns that are off, by row, but not those of a repeat that is off itself', async () => {
    const phone: Field = { name: 'phone', label: 'Telephone', type: 'text' }
    const family = (column: Field, attrs?: Field['attrs']): Field => ({
      name: 'family',
      label: 'Family',
      type: 'repeat',
      attrs,
      fields: [{ name: 'name', label: 'Name', type: 'text' }, column],
    })
    const rows = [
      { row: 'a', name: 'Ben' },
      { row: 'b', name: 'Cy', phone: '01632 960001' },
    ]
    record = { ...CASE, answers: { family: rows } }
    meta = [{ ...META[0], fields: [family(phone)] }]
    await openCase()
    expect(screen.queryByText(/^Answers kept/)).toBeNull()
    await publish([family(off(phone))])
    const kept = screen.getByText('Answers kept, no longer asked (1)').parentElement!
    expect(within(kept).getByText('Family, row 2: Telephone')).toBeTruthy()
    expect(within(kept).getByText('01632 960001')).toBeTruthy()
    await publish([family(off(phone), { is_on: false })])
    const list = screen.getByText('Answers kept, no longer asked (1)').parentElement!
    expect(within(list).queryByText('Family, row 2: Telephone')).toBeNull()
    expect(within(list).getByText('Family')).toBeTruthy()
  })
})

describe('leaving', () => {
  test('asks before unsaved changes are lost', async () => {
    await openCase()
    await userEvent.type(box(/^Gap/), 'x')
    await userEvent.click(screen.getByText('Elsewhere'))
    expect(await screen.findByText('Warning! You have unsaved changes')).toBeTruthy()
    expect(screen.getByText('The added information will be lost.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(box(/^Gap/).value).toBe('x')
    await userEvent.click(screen.getByText('Elsewhere'))
    await userEvent.click(await screen.findByRole('button', { name: 'Leave' }))
    await userEvent.click(await screen.findByText('Back'))
    await screen.findByText('Referral')
    expect(screen.queryByText('What you typed here before was not saved')).toBeNull()
  })

  test('asks about text that was typed a moment before', async () => {
    const { router } = await openCase()
    fireEvent.change(box(/^Gap/), { target: { value: 'x' } })
    await act(() => router.navigate('/elsewhere'))
    expect(await screen.findByText('Warning! You have unsaved changes')).toBeTruthy()
    expect(box(/^Gap/).value).toBe('x')
  })

  test('offers to restore what was typed when the session ended', async () => {
    const { unmount } = await openCase()
    await userEvent.type(box(/^Gap/), 'x')
    unmount()
    await openCase()
    await userEvent.click(screen.getByRole('button', { name: 'Put it back' }))
    expect(box(/^Gap/).value).toBe('x')
    await save()
    await waitFor(() => expect(patches()).toEqual([{ answers: { gap: 'x' }, version: 3, ...META_VERSION }]))
  })
})

test('renders values instead of controls for users who may not save', async () => {
  await openCase([])
  expect(document.querySelectorAll('input, select, textarea')).toHaveLength(0)
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  expect(screen.getByText('Because')).toBeTruthy()
  expect(await screen.findByText('IMCA - contract A1')).toBeTruthy()
  expect(screen.getAllByText('Not given').length).toBeGreaterThan(0)
})
