import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Values } from '../../src/contract/when.ts'
import { closeSidePanel, openSidePanel } from '../../src/engine/core/sidePanel.ts'
import { AUTOSAVE_DEBOUNCE_MS } from '../../src/engine/form/drafts/autosave.ts'
import { SidePanel } from '../../src/engine/kinds/form/SidePanel.tsx'
import { contract } from '../loadedContract.ts'
import { fakeServer, page, type Reply } from './fakeServer.ts'
import { openElement, person } from './open.tsx'
import { lookupHandlers } from './product.ts'

const ISSUE = { id: 8, case: 7, client: 5, client_name: 'Jan Powell', issue_type_label: 'Benefits' }
const OTHER = { id: 9, case: 6, client: 4, client_name: 'Al Short', issue_type_label: 'Housing' }
const SAVE = /^Save$|^Save Ctrl/
const CREATE = 'POST /action/'
const CREATE_DRAFT = 'POST /api/drafts'

let drafts: Values[]
beforeEach(() => {
  act(closeSidePanel)
  drafts = []
  const saveDraft = ({ body }: { body: Values }): Reply => {
    drafts = [{ id: 12, version: drafts.length + 1, ...drafts[0], ...body }]
    return { data: drafts[0] }
  }
  fakeServer.use({
    ...lookupHandlers,
    'GET /issue/8/': { data: ISSUE },
    'GET /case/7/': { data: { id: 7, client_name: 'Jan Powell' } },
    'GET /api/actions/most_used': { data: { types: [] } },
    'GET /api/staff/me/issues': page([ISSUE, OTHER]),
    'GET /api/drafts': () => page(drafts) as Reply,
    'GET /api/drafts/12': () => ({ data: drafts[0] }),
    [CREATE]: ({ body }) => ({ status: 201, data: { id: 50, case: 7, ...body } }),
    [CREATE_DRAFT]: saveDraft,
    'PUT /api/drafts/{id}': saveDraft,
    'DELETE /api/drafts/{id}': () => {
      drafts = []
      return { status: 204 }
    },
  })
})

async function openPanel(query: Values, name = 'log-action', initialValues: Values = {}) {
  const opened = openElement(
    <>
      <button type="button" onClick={() => openSidePanel(name, query, initialValues)}>
        Open
      </button>
      <SidePanel />
    </>,
    { contract, person: person([4]) },
  )
  await reopen()
  return opened
}

async function reopen() {
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  await screen.findByRole('button', { name: SAVE })
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull())
}
const save = () => userEvent.click(screen.getByRole('button', { name: SAVE }))
const press = (name: string) => userEvent.click(screen.getByRole('radio', { name }))
const chooseType = () => userEvent.click(screen.getAllByRole('radio')[0])
const notes = () => screen.getByLabelText<HTMLTextAreaElement>(/^Notes/)

describe('a form beside the page', () => {
  test('saves what was pressed and typed, stays on the page and gives the focus back', async () => {
    const { address } = await openPanel({ issue: '8' })
    expect(await screen.findByText('Issue 8: Benefits – Jan Powell')).toBeTruthy()
    await save()
    expect(screen.getByRole('alert').textContent).toMatch(/type/i)
    expect(fakeServer.requestsTo(CREATE)).toEqual([])
    await chooseType()
    await press('0:45')
    await press('Yesterday')
    await userEvent.type(notes(), 'Rang')
    await press('+7 days')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const [{ body, headers }] = fakeServer.requestsTo(CREATE)
    expect(body).toMatchObject({ issue: 8, type: expect.any(Number), time_taken: 2700, notes: 'Rang' })
    expect(headers['Idempotency-Key']).toBeTruthy()
    const days = (Date.parse(String(body.next_due)) - Date.parse(String(body.done_on))) / 86_400_000
    expect(days).toBe(8)
    expect(address()).toBe('/')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Open'))
  })

  test('chooses the only issue of a client or a case by itself, which is no draft yet', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await openPanel({ client: '4' })
    const issue = screen.getByRole<HTMLSelectElement | HTMLInputElement>('combobox', { name: /^Issue/ })
    await waitFor(() => expect(issue.value).toMatch(/9/))
    await act(() => vi.advanceTimersByTimeAsync(2 * AUTOSAVE_DEBOUNCE_MS))
    expect(fakeServer.requestsTo(CREATE_DRAFT)).toEqual([])
    await chooseType()
    await save()
    await waitFor(() => expect(fakeServer.requestsTo(CREATE)).toHaveLength(1))
    expect(fakeServer.requestsTo(CREATE)[0].body).toMatchObject({ issue: 9 })
    expect(fakeServer.requestsTo(CREATE)[0].body).not.toHaveProperty('client')
  })

  test('begins with what it is given besides, which is no draft and stands in no address', async () => {
    await openPanel({ issue: '8' }, 'log-action', { notes: 'Ring the ward' })
    expect(notes().value).toBe('Ring the ward')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(fakeServer.requestsTo(CREATE_DRAFT)).toEqual([])
    await reopen()
    await userEvent.type(notes(), ': no answer')
    await waitFor(() => expect(drafts[0]).toMatchObject({ address: '/action/new?issue=8' }))
    expect(drafts[0].payload).toMatchObject({ document: { notes: 'Ring the ward: no answer' } })
    await chooseType()
    await userEvent.click(screen.getByRole('button', { name: 'Save and add another' }))
    await waitFor(() => expect(fakeServer.requestsTo(CREATE)).toHaveLength(1))
    await waitFor(() => expect(notes().value).toBe(''))
  })

  test('asks for one’s own issue where none is known, and says what is missing', async () => {
    await openPanel({})
    await save()
    expect(screen.getByRole('alert').textContent).toMatch(/issue/i)
    expect(fakeServer.requestsTo(CREATE)).toEqual([])
  })

  test('offers other choices, other days and a box for other times', async () => {
    await openPanel({ issue: '8' })
    await press('Other…')
    const others = screen.getByRole<HTMLSelectElement>('combobox', { name: /^Type, other/ })
    await userEvent.selectOptions(others, '9')
    await press('Yesterday')
    const box = screen.getByLabelText<HTMLInputElement>('Time taken, hours and minutes')
    await userEvent.type(box, '20')
    await userEvent.tab()
    expect(box.value).toBe('00:20')
    await save()
    await waitFor(() => expect(fakeServer.requestsTo(CREATE)).toHaveLength(1))
    expect(fakeServer.requestsTo(CREATE)[0].body).toMatchObject({ type: 9, time_taken: 1200 })
  })

  test('sends a double press once, and begins anew with Save and add another', async () => {
    await openPanel({ issue: '8' })
    await chooseType()
    await userEvent.type(notes(), 'First')
    await userEvent.dblClick(screen.getByRole('button', { name: 'Save and add another' }))
    await waitFor(() => expect(notes().value).toBe(''))
    expect(fakeServer.requestsTo(CREATE)).toHaveLength(1)
    await chooseType()
    await userEvent.type(notes(), 'Second')
    await save()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const keys = fakeServer.requestsTo(CREATE).map(({ headers }) => headers['Idempotency-Key'])
    expect(new Set(keys).size).toBe(2)
  })

  test('is closed by Escape also while nothing in it has the focus', async () => {
    await openPanel({ issue: '8' })
    act(() => (document.activeElement as HTMLElement).blur())
    expect(document.activeElement).toBe(document.body)
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('keeps what was typed when it is closed, and goes on with it', async () => {
    await openPanel({ issue: '8' })
    await userEvent.type(notes(), 'Half a sentence')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(drafts).toHaveLength(1))
    expect(drafts[0]).toMatchObject({ kind: 'action', address: '/action/new?issue=8' })
    await reopen()
    expect(notes().value).toBe('Half a sentence')
    await userEvent.click(screen.getByRole('button', { name: 'Start again' }))
    await waitFor(() => expect(notes().value).toBe(''))
    expect(drafts).toEqual([])
  })

  test('leads to the form with all fields with what was typed', async () => {
    const { address } = await openPanel({ issue: '8' })
    await userEvent.type(notes(), 'More to say')
    await userEvent.click(screen.getByRole('button', { name: 'All fields…' }))
    await waitFor(() => expect(address()).toBe('/action/new?issue=8&draft=12'))
    expect(drafts[0].payload).toMatchObject({ document: { notes: 'More to say', issue: 8 } })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
