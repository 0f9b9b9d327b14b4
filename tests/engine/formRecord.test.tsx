// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, Link, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Field, FormScreen, Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import FormKind from '../../src/engine/form/Form.tsx'
import { type Notice, subscribeToNotices } from '../../src/engine/runtime/notices.ts'
import { contract, Providers, type Sent, serve, USER } from './formFixtures.tsx'

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
/** The version of the form, as every save names it. */
const ASKED = { case_type_version: 1 }
let record: Values
let meta: Group[]
let metaVersion: number
let sent: Sent[]
let patch: (one: Sent) => unknown
let notices: Notice[]
let unhear: () => void

beforeEach(() => {
  record = CASE
  meta = META
  metaVersion = 1
  notices = []
  unhear = subscribeToNotices((notice) => notices.push(notice))
  patch = ({ body }) => {
    const { answers, version: _, ...rest } = body as Values
    record = {
      ...record,
      ...rest,
      version: Number(record.version) + 1,
      answers: { ...(record.answers as Values), ...(answers as Values) },
    }
    return record
  }
  sent = serve((one) => {
    if (one.path === '/case_type/1/')
      return { id: 1, label: 'IMCA', version: metaVersion, case_meta: meta, issue_meta: [] }
    if (one.path === '/client/9/index/') return { id: 9, version: 1, area: 1 }
    if (one.path !== '/case/7/') return undefined
    return one.method === 'PATCH' ? patch(one) : record
  })
})
afterEach(() => {
  unhear()
  cleanup()
})

const patches = () => sent.filter((s) => s.method === 'PATCH').map((s) => s.body as Values)

async function open(name = 'case-details', user = USER) {
  const router = createMemoryRouter(
    [
      {
        path: '/cases/:id/details',
        element: (
          <>
            <FormKind screen={contract.screens[name] as FormScreen} />
            <Link to="/elsewhere">Elsewhere</Link>
          </>
        ),
      },
      { path: '/elsewhere', element: <Link to="/cases/7/details">Back</Link> },
    ],
    { initialEntries: ['/cases/7/details'] },
  )
  const drawn = render(
    <Providers user={user}>
      <RouterProvider router={router} />
    </Providers>,
  )
  await screen.findByText('Referral')
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull())
  return { router, ...drawn }
}
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))
const box = (label: RegExp) => screen.getByLabelText(label) as HTMLInputElement
const retype = async (label: RegExp, text: string) => {
  await userEvent.clear(box(label))
  if (text) await userEvent.type(box(label), text)
}

describe('saving', () => {
  test('sends what changed, with the version; null clears; older gaps stand in nobody’s way', async () => {
    await open()
    expect(screen.getByRole('heading', { level: 1, name: 'Details' })).toBeTruthy()
    await retype(/^Why \(/, '')
    fireEvent.change(box(/^Date of birth of/), { target: { value: '1950-02-01' } })
    await save()
    await waitFor(() => expect(notices).toEqual([{ kind: 'success', text: 'Saved' }]))
    expect(patches()).toEqual([{ patient_dob: '1950-02-01', answers: { why: null }, version: 3, ...ASKED }])
    await retype(/^Why \(/, 'Again')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(patches()).toHaveLength(2))
    expect(patches()[1]).toEqual({ answers: { why: 'Again' }, version: 4, ...ASKED })
  })

  test('what a change reveals must be answered; the server’s messages stand at their fields', async () => {
    await open()
    fireEvent.click(screen.getByLabelText('Yes'))
    await save()
    expect(
      within(screen.getByRole('alert'))
        .getAllByRole('link')
        .map((l) => l.textContent),
    ).toEqual(['Enter why urgent'])
    expect(patches()).toEqual([])
    await userEvent.type(box(/^Why urgent/), 'Now')
    patch = () => [
      400,
      { 'answers.urgent_reason': ['Is too short'], council_area: ['Council area is not open'] },
    ]
    await save()
    await waitFor(() => expect(screen.getAllByText('Council area is not open')).toHaveLength(2))
    expect(
      document.getElementById(box(/^Why urgent/).getAttribute('aria-describedby')!)!.textContent,
    ).toContain('Is too short')
  })

  test('a conflict is resolved field by field, and nothing typed is lost', async () => {
    await open()
    await retype(/^Why \(/, 'Mine')
    fireEvent.click(screen.getByLabelText('No'))
    fireEvent.change(box(/^Date of birth of/), { target: { value: '1950-02-01' } })
    const theirs = {
      ...CASE,
      version: 5,
      council_area: 2,
      answers: { why: 'Theirs', is_urgent: 'not_known', gap: 'x' },
    }
    patch = () => [
      409,
      {
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
      },
    ]
    await save()
    expect(await screen.findByText(/^Changed by Bob at 4 June 2026/)).toBeTruthy()
    const panel = within(document.querySelector<HTMLElement>('.conflict')!)
    await userEvent.click(panel.getByLabelText('Keep mine: Mine'))
    await userEvent.click(panel.getByLabelText('Take theirs: Not known'))
    record = theirs
    patch = ({ body }) => {
      record = {
        ...theirs,
        version: 6,
        patient_dob: '1950-02-01',
        answers: { ...theirs.answers, ...(body.answers as Values) },
      }
      return record
    }
    await userEvent.click(panel.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(patches()).toHaveLength(2))
    expect(patches()[1]).toEqual({
      patient_dob: '1950-02-01',
      answers: { why: 'Mine' },
      version: 5,
      ...ASKED,
    })
    await waitFor(() => expect(notices.at(-1)).toEqual({ kind: 'success', text: 'Saved' }))
    expect(box(/^Gap/).value).toBe('x')
    expect((screen.getByLabelText('Not known') as HTMLInputElement).checked).toBe(true)
  })
})

describe('a stored record with gaps', () => {
  test('names them, leads to them, and no longer does once they are filled', async () => {
    record = { ...CASE, invalid_fields: ['gap', 'hidden_now'] }
    await open()
    const note = screen.getByText(/^Missing or wrong/).parentElement!
    expect(within(note).getAllByRole('link')).toHaveLength(1)
    await userEvent.click(within(note).getByRole('link', { name: 'Gap' }))
    expect(document.activeElement).toBe(box(/^Gap/))
    await userEvent.keyboard('Filled')
    patch = () => {
      record = { ...record, version: 4, answers: { why: 'Because', gap: 'Filled' }, invalid_fields: [] }
      return record
    }
    await save()
    await waitFor(() => expect(screen.queryByText(/^Missing or wrong/)).toBeNull())
  })

  test('names nothing where nothing is missing', async () => {
    await open()
    expect(screen.queryByText(/^Missing or wrong/)).toBeNull()
  })
})

describe('what others do meanwhile', () => {
  test('unchanged values are updated, changed ones stay, and a new form renders around them', async () => {
    await open()
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
    await waitFor(() => expect(patches()).toEqual([{ answers: { gap: 'typed' }, version: 4, ...ASKED }]))
  })

  test('a conflict found by a refetch is still a conflict on the server', async () => {
    await open()
    await retype(/^Why \(/, 'Mine')
    record = { ...CASE, version: 4, answers: { why: 'Theirs' } }
    await act(() => {
      window.dispatchEvent(new Event('visibilitychange'))
    })
    await waitFor(() => expect(sent.filter((s) => s.path === '/case/7/')).toHaveLength(2))
    expect(box(/^Why \(/).value).toBe('Mine')
    await save()
    await waitFor(() => expect(patches()).toEqual([{ answers: { why: 'Mine' }, version: 3, ...ASKED }]))
  })
})

describe('a form that is published anew while it is open', () => {
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

  test('names what changed, keeps what is typed into a field that goes, and moves on to the next field', async () => {
    await open()
    await userEvent.type(box(/^Why \(/), ' of the fall')
    expect(document.activeElement).toBe(box(/^Why \(/))
    const more = { name: 'new', label: 'Brand new', type: 'text' } as const
    await publish([off(why), { ...urgent, label: 'Is it urgent' }, reason, gap, more])
    expect(screen.getByText(/No longer asked: Why\. New: Brand new\. Changed: Is it urgent\./)).toBeTruthy()
    expect(screen.queryByLabelText(/^Why \(/)).toBeNull()
    expect(document.activeElement?.closest('fieldset')?.textContent).toMatch(/^Is it urgent/)
    const kept = screen.getByText('Answers kept, no longer asked (1)').parentElement!
    expect(within(kept).getByText('Because of the fall')).toBeTruthy()
    await userEvent.type(box(/^Gap/), 'x')
    await save()
    const answers = { why: 'Because of the fall', gap: 'x' }
    await waitFor(() => expect(patches()).toEqual([{ answers, version: 3, ...ASKED }]))
    expect(within(kept).getByText('Because of the fall')).toBeTruthy()
    await retype(/^Gap/, 'y')
    await save()
    await waitFor(() =>
      expect(patches()[1]).toEqual({ answers: { gap: 'y' }, version: 4, case_type_version: 2 }),
    )
  })

  test('tells what the server could not keep of a field that went', async () => {
    await open()
    await userEvent.type(box(/^Why \(/), '!')
    await publish([off(why), urgent, reason, gap])
    await userEvent.type(box(/^Gap/), 'x')
    patch = () => ({ ...record, version: 4, answers: { gap: 'x' } })
    await save()
    await waitFor(() => expect(notices.some(({ kind }) => kind === 'warning')).toBe(true))
    expect(notices.find(({ kind }) => kind === 'warning')!.text).toMatch(/“Why” .*“Because!”.* not saved/)
  })

  test('moves to the field before where the last one goes, and nowhere where another had the focus', async () => {
    await open()
    await userEvent.type(box(/^Gap/), 'x')
    await publish([why, urgent, off(gap)])
    expect(document.activeElement?.closest('fieldset')?.textContent).toMatch(/^Urgent/)
    await userEvent.type(box(/^Why \(/), 'x')
    await publish([why, off(urgent), gap])
    await screen.findByLabelText(/^Gap/)
    expect(document.activeElement).toBe(box(/^Why \(/))
    expect(screen.getByText(/No longer asked: Urgent\. This note/)).toBeTruthy()
    expect(box(/^Gap/).value).toBe('x')
    expect(screen.queryByText(/^Answers kept/)).toBeNull()
    await publish([off(why), off(urgent), gap])
    expect(await screen.findByText('Answers kept, no longer asked (1)')).toBeTruthy()
  })

  test('shows from the start what is kept and hidden, but nothing that the person hides themselves', async () => {
    record = { ...CASE, answers: { ...(CASE.answers as Values), is_urgent: 'yes', urgent_reason: 'Soon' } }
    meta = [{ ...META[0], fields: [off(why), urgent, reason, gap] }]
    await open()
    expect(screen.getByText('Answers kept, no longer asked (1)')).toBeTruthy()
    expect(screen.getByText('Because')).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: 'No' }))
    expect(screen.queryByLabelText(/^Why urgent/)).toBeNull()
    expect(screen.getByText('Answers kept, no longer asked (1)')).toBeTruthy()
  })

  test('shows what is kept in a column that rows no longer have, by row, and nothing of a list that is hidden itself', async () => {
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
    await open()
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
  test('asks when something is unsaved, with Cancel first', async () => {
    await open()
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

  test('what was typed when the session ended is offered again to the same person', async () => {
    const { unmount } = await open()
    await userEvent.type(box(/^Gap/), 'x')
    unmount()
    await open()
    await userEvent.click(screen.getByRole('button', { name: 'Put it back' }))
    expect(box(/^Gap/).value).toBe('x')
    await save()
    await waitFor(() => expect(patches()).toEqual([{ answers: { gap: 'x' }, version: 3, ...ASKED }]))
  })
})

test('those who may not save see values, not controls', async () => {
  await open('case-details', { ...USER, groups: [5] })
  expect(document.querySelectorAll('input, select, textarea')).toHaveLength(0)
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  expect(screen.getByText('Because')).toBeTruthy()
  expect(await screen.findByText('IMCA - contract A1')).toBeTruthy()
  expect(screen.getAllByText('Not given').length).toBeGreaterThan(0)
})
