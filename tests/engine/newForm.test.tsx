import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Link } from 'react-router-dom'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Values } from '../../src/contract/when.ts'
import { AUTOSAVE_DEBOUNCE_MS } from '../../src/engine/form/drafts/autosave.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer, page, type Reply } from './fakeServer.ts'
import { open, person } from './open.tsx'
import { lookupHandlers } from './product.ts'

const ISSUE = { id: 8, case: 7, client: 5, client_name: 'Jan Powell', issue_type_label: 'Benefits' }
const OTHER = { id: 9, case: 6, client: 4, client_name: 'Al Short', issue_type_label: 'Housing' }
const META = [
  { name: 'g', label: 'Benefit', fields: [{ name: 'which', label: 'Which benefit', type: 'text' }] },
]
const CREATE = 'POST /action/'
const CREATE_DRAFT = 'POST /api/drafts'
const DRAFT = '/api/drafts/{id}'
const ENTITIES = {
  'GET /issue/8/': ISSUE,
  'GET /case/7/': { id: 7, version: 1, client: 5, client_name: 'Jan Powell', case_type: 1, service: 1 },
  'GET /case_type/1/': { id: 1, label: 'IMCA', version: 3, issue_meta: META, case_meta: [] },
  'GET /client/5/index/': { id: 5, version: 1 },
}

beforeEach(() => {
  let version = 0
  const saveDraft = ({ body }: { body: Values }): Reply => {
    version += 1
    return { data: { id: 12, version, kind: 'action', payload: body.payload } }
  }
  fakeServer.use({
    ...lookupHandlers,
    ...Object.fromEntries(Object.entries(ENTITIES).map(([call, data]) => [call, { data }])),
    'GET /api/staff/me/issues': page([ISSUE, OTHER]),
    [CREATE]: ({ body }) => ({ status: 201, data: { id: 50, case: 7, ...body } }),
    'POST /case/7/issue/': ({ body }) => ({ status: 201, data: { id: 50, case: 7, ...body } }),
    [CREATE_DRAFT]: saveDraft,
    [`PUT ${DRAFT}`]: saveDraft,
    [`DELETE ${DRAFT}`]: { status: 204 },
  })
})

async function openForm(at: string, name = 'new-action') {
  const opened = await open({ [name]: contract.screens[name] }, at, {
    contract,
    person: person([4]),
    beside: <Link to="/elsewhere">Elsewhere</Link>,
  })
  await screen.findByRole('button', { name: 'Save' })
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull())
  return opened
}
const box = (label: RegExp) => screen.getByLabelText(label) as HTMLInputElement
const chooseType = () => userEvent.selectOptions(box(/^Type/), '2')
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('the initial values', () => {
  test('show and send the issue of the address without a field for it', async () => {
    const { address } = await openForm('/action/new?issue=8')
    expect(await screen.findByText('Issue 8: Benefits – Jan Powell')).toBeTruthy()
    expect(screen.queryByLabelText(/^(Issue|Case)/)).toBeNull()
    // A type chosen in advance would let an untouched form be saved as a contact that was none.
    expect(box(/^Type/).value).toBe('')
    await userEvent.type(box(/^Notes/), 'Rang')
    await chooseType()
    await press('Save')
    await waitFor(() => expect(address()).toBe('/cases/7/chronology'))
    const [{ body, headers }] = fakeServer.requestsTo(CREATE)
    expect(body).toMatchObject({
      issue: 8,
      type: 2,
      notes: 'Rang',
      done_on: expect.stringMatching(/^\d{4}-/),
    })
    expect(headers['Idempotency-Key']).toBeTruthy()
  })

  test('require a choice of one’s own issues without an issue in the address', async () => {
    await openForm('/action/new')
    const issue = box(/^Issue/)
    expect([...issue.querySelectorAll('option')].map((o) => o.textContent)).toEqual([
      '',
      'Al Short – Housing (#9)',
      'Jan Powell – Benefits (#8)',
    ])
    expect(box(/^Type/).value).toBe('')
    await press('Save')
    expect(
      within(screen.getByRole('alert'))
        .getAllByRole('link')
        .map((l) => l.textContent),
    ).toEqual([expect.stringMatching(/issue/i), expect.stringMatching(/type/i)])
    await userEvent.selectOptions(issue, '9')
    await chooseType()
    await press('Save')
    await waitFor(() => expect(fakeServer.requestsTo(CREATE)).toHaveLength(1))
    expect(fakeServer.requestsTo(CREATE)[0].body).toMatchObject({ issue: 9 })
  })

  test('offer only the issues of the case in the address, and ignore ids that are no numbers', async () => {
    await openForm('/action/new?case=7&issue=x')
    expect(await screen.findByText('Case 7: Jan Powell')).toBeTruthy()
    expect([...box(/^Issue \(optional/).querySelectorAll('option')].map((o) => o.textContent)).toEqual([
      '',
      'Jan Powell – Benefits (#8)',
    ])
  })

  test('make a new issue on a case one’s own, as in the wizard', async () => {
    const { path } = contract.lookups.staff
    fakeServer.use({
      [`GET ${path}`]: ({ query }) => ({ data: query.self ? [{ value: 6, label: 'Ann Lane' }] : [] }),
    })
    await openForm('/cases/7/issues/new', 'case-new-issue')
    const types = box(/^Issue type/)
    await userEvent.selectOptions(types, types.querySelectorAll('option')[1].value)
    await waitFor(() => expect(box(/^Advocate/).value).toBe('6'))
    await press('Save')
    await waitFor(() =>
      expect(fakeServer.requestsTo('POST /case/7/issue/')[0]?.body).toMatchObject({ advocate: 6 }),
    )
  })

  test('load the records that other records name', async () => {
    const { address } = await openForm('/cases/7/issues/new', 'case-new-issue')
    await userEvent.type(box(/^Which benefit/), 'PIP')
    const types = box(/^Issue type/)
    await userEvent.selectOptions(types, types.querySelectorAll('option')[1].value)
    await press('Save')
    await waitFor(() => expect(address()).toBe('/cases/7/issues/50/details'))
    expect(fakeServer.requestsTo('POST /case/7/issue/')[0].body).toMatchObject({ answers: { which: 'PIP' } })
  })
})

describe('a warning of a section', () => {
  test('is there while its condition holds: of a hub adviser without a hub', async () => {
    fakeServer.use({
      'GET /api/staff/hubs': page([]),
      'GET /api/staff/line_managers': page([]),
      'GET /role_lookup/': { data: [{ value: 3, label: 'Hub Adviser' }] },
    })
    await open({ 'new-staff': contract.screens['new-staff'] }, '/dashboard/management/new', {
      contract,
      person: person([1]),
    })
    await screen.findByRole('button', { name: 'Save' })
    expect(screen.queryByRole('note')).toBeNull()
    await userEvent.click(await screen.findByLabelText('Hub Adviser'))
    expect((await screen.findByRole('note')).textContent).toMatch(/will see no cases/)
    await userEvent.click(screen.getByLabelText('Hub Adviser'))
    await waitFor(() => expect(screen.queryByRole('note')).toBeNull())
  })
})

describe('a save without a reply', () => {
  test('is repeated under the same key, and under a new one once the form had arrived before', async () => {
    const { address } = await openForm('/action/new?issue=8')
    fakeServer.use({ [CREATE]: { status: 0 } })
    await chooseType()
    await press('Save')
    await screen.findByText(/^Waiting for the connection/)
    await userEvent.type(box(/^Notes/), 'Rang')
    fakeServer.use({ [CREATE]: { status: 409, data: { code: 'usedKey', message: 'It arrived' } } })
    act(() => fakeServer.comeBack())
    await waitFor(() => expect(fakeServer.requestsTo(CREATE)).toHaveLength(2))
    fakeServer.use({ [CREATE]: { status: 201, data: { id: 50, case: 7 } } })
    await press('Save')
    await waitFor(() => expect(address()).toBe('/cases/7/chronology'))
    const [lost, repeated, again] = fakeServer
      .requestsTo(CREATE)
      .map(({ headers }) => headers['Idempotency-Key'])
    expect(repeated).toBe(lost)
    expect(again).not.toBe(lost)
  })
})

describe('the draft', () => {
  test('is autosaved from the first change, and the save names it', async () => {
    const { address } = await openForm('/action/new?issue=8')
    expect(fakeServer.requestsTo(CREATE_DRAFT)).toEqual([])
    fireEvent.change(box(/^Next step due/), { target: { value: '2030-01-02' } })
    await waitFor(() => expect(address()).toBe('/action/new?issue=8&draft=12'))
    expect(fakeServer.requestsTo(CREATE_DRAFT)[0].body).toMatchObject({
      kind: 'action',
      address: '/action/new?issue=8',
      title: 'New Action – Issue 8',
      payload: { document: { issue: 8, next_due: '2030-01-02' } },
    })
    await chooseType()
    await press('Save')
    await waitFor(() => expect(address()).toBe('/cases/7/chronology'))
    expect(fakeServer.requestsTo(CREATE)[0].headers['X-Draft']).toBe('12')
    expect(fakeServer.requestsTo('DELETE /api/drafts/12')).toEqual([])
  })

  test('is not autosaved during or after a save, but again after a refused one', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { address } = await openForm('/action/new?issue=8')
    await chooseType()
    await userEvent.type(box(/^Notes/), 'Half')
    await waitFor(() => expect(address()).toContain('draft=12'))
    let reply: ((reply: Reply) => void) | undefined
    fakeServer.use({
      [CREATE]: () =>
        new Promise((resolve) => {
          reply = resolve
        }),
    })
    const autosaves = () =>
      fakeServer.requestsTo(CREATE_DRAFT).length + fakeServer.requestsTo('PUT /api/drafts/12').length
    const invalid = { status: 400, data: { notes: ['No'] } }
    const created = { status: 201, data: { id: 50, case: 7 } }
    for (const [answer, more] of [
      [invalid, 1],
      [created, 0],
    ] as const) {
      await press('Save')
      await waitFor(() => expect(reply).toBeTruthy())
      const before = autosaves()
      fireEvent.change(box(/^Next step due/), { target: { value: `2030-01-0${3 - more}` } })
      await act(() => vi.advanceTimersByTimeAsync(2 * AUTOSAVE_DEBOUNCE_MS))
      expect(autosaves()).toBe(before)
      reply!(answer)
      reply = undefined
      if (more > 0) await waitFor(() => expect(autosaves()).toBe(before + more))
      else await act(() => vi.advanceTimersByTimeAsync(2 * AUTOSAVE_DEBOUNCE_MS))
      expect(autosaves()).toBe(before + more)
    }
    expect(address()).toBe('/cases/7/chronology')
  })

  test('is restored by its address', async () => {
    const document = { issue: 8, type: 2, done_on: '2026-01-05', notes: 'Half' }
    fakeServer.use({ [`GET ${DRAFT}`]: { data: { id: 12, version: 4, payload: { document } } } })
    await openForm('/action/new?issue=8&draft=12')
    await waitFor(() => expect(box(/^Notes/).value).toBe('Half'))
    expect(await screen.findByText('Issue 8: Benefits – Jan Powell')).toBeTruthy()
    await userEvent.click(screen.getByText('Elsewhere'))
    expect(await screen.findByText('Another page')).toBeTruthy()
  })

  test('is saved for later without a confirmation', async () => {
    const { address } = await openForm('/action/new?issue=8')
    await userEvent.type(box(/^Notes/), 'Half')
    await press('Save draft')
    await waitFor(() => expect(address()).toBe('/dashboard/draft-cases'))
    expect(fakeServer.requestsTo(CREATE_DRAFT)[0].body).toMatchObject({
      payload: { document: { notes: 'Half' } },
    })
    expect(fakeServer.requestsTo('DELETE /api/drafts/12')).toEqual([])
  })

  test('is deleted after a confirmation when the form is left', async () => {
    const { address } = await openForm('/action/new?issue=8')
    await userEvent.type(box(/^Notes/), 'Half')
    await waitFor(() => expect(address()).toContain('draft=12'))
    await userEvent.click(screen.getByText('Elsewhere'))
    expect(await screen.findByText('Warning! You have unsaved changes')).toBeTruthy()
    expect(screen.getByText('The added information will be lost.')).toBeTruthy()
    await press('Leave')
    expect(await screen.findByText('Another page')).toBeTruthy()
    expect(fakeServer.requestsTo('DELETE /api/drafts/12')).toHaveLength(1)
  })

  test('that could not be saved on the server is restored for the same user on the same page', async () => {
    fakeServer.use({ [CREATE_DRAFT]: { status: 401 } })
    const { unmount } = await openForm('/action/new?issue=8')
    await userEvent.type(box(/^Notes/), 'Unsaved')
    unmount()
    await waitFor(() => expect(fakeServer.requestsTo(CREATE_DRAFT).length).toBeGreaterThan(0))
    fakeServer.use({ [CREATE_DRAFT]: { data: { id: 13, version: 1 } } })
    await openForm('/action/new')
    expect(box(/^Notes/).value).toBe('')
    cleanup()
    await openForm('/action/new?issue=8')
    expect(box(/^Notes/).value).toBe('Unsaved')
  })
})

describe('saving', () => {
  test('and adding another starts an empty form at the same address, with a new idempotency key', async () => {
    const { address, notices } = await openForm('/action/new?issue=8')
    await chooseType()
    await userEvent.type(box(/^Notes/), 'First')
    await press('Save and add another')
    await waitFor(() => expect(box(/^Notes/).value).toBe(''))
    expect(notices.at(-1)).toEqual({ kind: 'success', text: expect.stringMatching(/^Saved: ./) })
    expect(address()).toBe('/action/new?issue=8')
    await waitFor(() => expect(document.activeElement).toBe(box(/^Type/)))
    expect(box(/^Type/).value).toBe('')
    await chooseType()
    await userEvent.type(box(/^Notes/), 'Second')
    await press('Save')
    await waitFor(() => expect(address()).toBe('/cases/7/chronology'))
    const posts = fakeServer.requestsTo(CREATE)
    expect(posts.map((s) => s.body.notes)).toEqual(['First', 'Second'])
    expect(posts.map((s) => s.body.issue)).toEqual([8, 8])
    expect(new Set(posts.map((s) => s.headers['Idempotency-Key'])).size).toBe(2)
  })

  test('shows the server’s validation errors and keeps the values', async () => {
    const { notices } = await openForm('/action/new')
    await userEvent.selectOptions(box(/^Issue/), '9')
    await chooseType()
    await userEvent.type(box(/^Notes/), 'Kept')
    fakeServer.use({
      [CREATE]: { status: 400, data: { issue: ['Issue must be one that you may see'] } },
    })
    await press('Save')
    await waitFor(() => expect(screen.getAllByText('Issue must be one that you may see')).toHaveLength(2))
    expect(box(/^Notes/).value).toBe('Kept')
    expect(notices).toEqual([])
  })
})
