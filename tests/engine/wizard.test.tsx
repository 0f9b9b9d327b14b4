// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, Link, Outlet, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WizardScreen } from '../../src/contract/types.ts'
import type { Values } from '../../src/contract/when.ts'
import { today } from '../../src/engine/form/today.ts'
import WizardKind from '../../src/engine/kinds/Wizard.tsx'
import { type Notice, onNotice } from '../../src/engine/notices.ts'
import { discard, inProgress } from '../../src/engine/wizard/progress.ts'
import { Around, CASE_TYPES, contract, type Sent, serve } from './formFixtures.tsx'

const ANN: Values = {
  id: 9,
  version: 1,
  first_name: 'Ann',
  last_name: 'Ames',
  dob: '1950-02-01',
  title: 2,
  status: 1,
}

let sent: Sent[]
let drafts: Map<number, Values>
let versionOfType: number
let addField: boolean
let create: (one: Sent) => unknown
let answer: (one: Sent) => unknown
let notices: Notice[]
let unhear: () => void

function serveDrafts({ method, path, body }: Sent): unknown {
  const id = Number(path.split('/').at(-1))
  if (method === 'POST') {
    const draft = { ...body, id: drafts.size + 1, version: 1 }
    drafts.set(draft.id, draft)
    return draft
  }
  const draft = drafts.get(id)
  if (!draft) return [404, { message: 'not here' }]
  if (method === 'GET') return draft
  if (method === 'DELETE') return drafts.delete(id) && [204, '']
  if (body.version !== draft.version)
    return [409, { code: 'conflict', message: 'Changed', fields: { payload: {} }, current: draft }]
  const next = { ...draft, ...(body as Values), version: Number(draft.version) + 1 }
  drafts.set(id, next)
  return next
}

function typeOf(id: number) {
  const type = CASE_TYPES.find((t) => t.value === id)!
  const [first, ...rest] = type.case_meta
  const fields = addField
    ? [
        ...first.fields.filter((f) => f.name !== 'contacted_us'),
        { name: 'extra', label: 'Extra', type: 'text' },
      ]
    : first.fields
  return { ...type, id, version: versionOfType, case_meta: [{ ...first, fields }, ...rest] }
}

beforeEach(() => {
  drafts = new Map()
  versionOfType = 1
  addField = false
  notices = []
  unhear = onNotice((notice) => notices.push(notice))
  create = () => [201, { id: 70, client: 9, issue: 71 }]
  answer = () => undefined
  sent = serve((one) => {
    const given = answer(one)
    if (given !== undefined) return given
    if (one.path.startsWith('/api/drafts')) return serveDrafts(one)
    if (one.path === '/case/') return create(one)
    if (one.path === '/client/9/index/') return ANN
    if (one.path === '/api/quicksearch/clients/') return [ANN, { ...ANN, id: 10, dob: '1961-03-02' }]
    if (one.path === '/api/clients/duplicates') {
      return one.params.last_name === 'Ames'
        ? [{ id: 9, name: 'Ann Ames', dob: '1950-02-01', visible: true }]
        : []
    }
    const type = one.path.match(/^\/case_type\/(\d+)\/$/)
    return type ? typeOf(Number(type[1])) : undefined
  })
})
afterEach(() => {
  unhear()
  cleanup()
})

const calls = (method: string, path: string) =>
  sent.filter((s) => s.method === method && s.path.startsWith(path))

async function open(address = '/case') {
  const wizard = <WizardKind screen={contract.screens['new-case'] as WizardScreen} />
  const router = createMemoryRouter(
    [
      {
        element: (
          <>
            <Outlet />
            <Link to="/elsewhere">Elsewhere</Link>
          </>
        ),
        children: [
          { path: '/case/:step?', element: wizard },
          { path: '*', element: <p>Another page</p> },
        ],
      },
    ],
    { initialEntries: [address] },
  )
  const drawn = render(
    <Around>
      <RouterProvider router={router} />
    </Around>,
  )
  await waitFor(() =>
    expect(
      screen.queryAllByRole('heading', { level: 1 }).length + screen.queryAllByText('Another page').length,
    ).toBeGreaterThan(0),
  )
  return { router, ...drawn }
}
const at = (router: { state: { location: { pathname: string } } }) => router.state.location.pathname
const box = (name: string) => document.querySelector<HTMLInputElement>(`[id$=".${name}"]`)!
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))
const next = () => press('Next')
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const pick = async (name: string, label: string) => {
  await waitFor(() => expect(within(box(name)).queryByText(label), name).toBeTruthy())
  await userEvent.selectOptions(box(name), label)
}

async function configure() {
  await pick('service', 'Independent Mental Capacity Advocacy (IMCA)')
  await pick('case_type', 'IMCA - Serious medical treatment')
  await screen.findByText('Case details')
}
async function chooseAnn() {
  await userEvent.click(screen.getByLabelText('Existing client'))
  await userEvent.type(screen.getByRole('combobox'), 'ann')
  await userEvent.click(await screen.findByText('Date of birth 1 February 1950 · ID 9'))
  await screen.findByText('Ames')
}
async function fillCase() {
  await pick('case.contract', 'IMCA - contract A1')
  await pick('case.answers.referring_from', 'GP')
  await pick('case.answers.instruction', 'Instructed')
  await pick('case.answers.consent_basis', 'Person consents')
  await fillRequired()
}
/** Answers whatever is still asked, with the first choice. */
async function fillRequired() {
  for (const set of document.querySelectorAll('fieldset[role=radiogroup][aria-required]')) {
    fireEvent.click(set.querySelectorAll('input')[1])
  }
  for (const select of document.querySelectorAll<HTMLSelectElement>('select[aria-required]')) {
    if (select.value) continue
    await waitFor(() => expect(select.options.length).toBeGreaterThan(1))
    fireEvent.change(select, { target: { value: select.options[1].value } })
  }
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type=date][aria-required]')) {
    if (!input.value) fireEvent.change(input, { target: { value: today() } })
  }
  for (const input of document.querySelectorAll<HTMLInputElement>(
    'textarea[aria-required], input[type=text][aria-required]',
  )) {
    if (input.value) continue
    fireEvent.change(input, { target: { value: 'Words' } })
    fireEvent.blur(input)
  }
  for (const set of document.querySelectorAll<HTMLElement>('.field-multiselect')) {
    if (!set.querySelector('.field-optional') && !set.querySelector('input:checked')) {
      await waitFor(() => expect(set.querySelector('input[type=checkbox]')).toBeTruthy())
      fireEvent.click(set.querySelector('input[type=checkbox]')!)
    }
  }
}
async function toCheck() {
  await configure()
  await next()
  await heading('Client')
  await chooseAnn()
  await next()
  await heading('Case details')
  await fillCase()
  await next()
  await heading('Issue details')
  await fillRequired()
  await fillRequired()
  await next()
  await heading('Monitoring')
  await next()
  await heading('Signposting')
}

describe('the way', () => {
  test('from the service to the case, with one call at the end', async () => {
    const { router } = await open()
    expect(screen.getByRole('heading', { level: 1, name: 'Service' })).toBeTruthy()
    expect(screen.getAllByRole('listitem')).toHaveLength(1)
    await next()
    expect(
      within(screen.getByRole('alert'))
        .getAllByRole('link')
        .map((l) => l.textContent),
    ).toEqual(['Choose service', 'Choose case type'])
    await toCheck()
    expect(screen.getAllByRole('listitem').filter((li) => li.classList.contains('step-done'))).toHaveLength(5)
    expect(document.querySelector('[aria-current=step]')!.textContent).toBe('Signposting, not completed')
    await press('Add Signposting')
    await pick('signposting.0.sp_org', 'Age UK').catch(() => fillRequired())
    await next()
    await heading('Check your answers')
    expect(at(router)).toBe('/case/check')
    expect(screen.getByText('Ames')).toBeTruthy()
    expect(await screen.findByText('IMCA - contract A1')).toBeTruthy()

    await userEvent.click(screen.getByRole('link', { name: 'Change monitoring' }))
    await heading('Monitoring')
    fireEvent.click(within(box('monitoring.carer')).getByLabelText('Yes'))
    await next()
    await heading('Check your answers')

    const confirm = screen.getByRole('button', { name: 'Confirm and save' })
    fireEvent.click(confirm)
    fireEvent.click(confirm)
    await screen.findByText('Another page')
    expect(at(router)).toBe('/cases/70/details')
    expect(notices.at(-1)).toEqual({ kind: 'success', text: 'Saved' })
    const [post, ...more] = calls('POST', '/case/')
    expect(more).toEqual([])
    expect(post.headers['Idempotency-Key']).toMatch(/^\w{32}$/)
    expect(post.body).toMatchObject({
      service: 1,
      case_type: 1,
      case_type_version: 1,
      client: 9,
      case: { contract: 1, answers: { date_received: today(), instruction: 'instructed' } },
      issue: { start_date: today() },
      monitoring: { carer: 'yes' },
      signposting: [{ sp_org: expect.any(Number), date: today() }],
      draft: 1,
    })
    expect(post.body.signposting[0]).not.toHaveProperty('row')
    expect(inProgress()).toBe(false)
  })

  test('a step that cannot be reached leads back to the first', async () => {
    const { router } = await open('/case/case-details')
    await heading('Service')
    expect(at(router)).toBe('/case')
  })

  test('what the server finds leads to the first step it is about', async () => {
    await open()
    await toCheck()
    await next()
    await heading('Check your answers')
    create = () => [400, { 'issue.answers.x': ['No'], 'case.contract': ['Contract has ended'] }]
    await press('Confirm and save')
    await heading('Case details')
    const link = within(screen.getByRole('alert')).getByRole('link', { name: 'Contract has ended' })
    await userEvent.click(link)
    expect(document.activeElement).toBe(box('case.contract'))
    create = () => [201, { id: 70 }]
    await pick('case.contract', 'IMCA - contract B1').catch(() => undefined)
    await next()
    await heading('Check your answers')
    await press('Confirm and save')
    await screen.findByText('Another page')
    const keys = calls('POST', '/case/').map((c) => c.headers['Idempotency-Key'])
    expect(new Set(keys).size).toBe(1)
  })

  test('going back judges nothing and keeps what was typed', async () => {
    await open()
    await configure()
    await next()
    await heading('Client')
    await userEvent.click(screen.getByLabelText('New client'))
    await userEvent.type(box('client.last_name'), 'Bell')
    await press('Back')
    await heading('Service')
    await next()
    await heading('Client')
    expect(box('client.last_name').value).toBe('Bell')
    await next()
    expect(within(screen.getByRole('alert')).getByRole('link', { name: 'Enter first name' })).toBeTruthy()
  })
})

describe('the client', () => {
  test('is chosen with the keyboard, shown, and can be changed', async () => {
    await open()
    await configure()
    await next()
    await heading('Client')
    await next()
    expect(
      within(screen.getByRole('alert')).getByText('Enter a new client or choose one that is there'),
    ).toBeTruthy()
    await userEvent.click(screen.getByLabelText('Existing client'))
    const search = screen.getByRole('combobox')
    await userEvent.type(search, 'ann')
    await screen.findByText('2 clients found')
    expect(calls('GET', '/api/quicksearch')).toHaveLength(1)
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    expect(search.getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('option')[1].id)
    await userEvent.keyboard('{ArrowUp}{Enter}')
    expect(await screen.findByText('1 February 1950')).toBeTruthy()
    expect(screen.queryByRole('combobox')).toBeNull()
    await press('Change the client')
    expect(screen.getByRole('combobox')).toBeTruthy()
  })

  test('who is likely known is warned of, and can be taken', async () => {
    await open()
    await configure()
    await next()
    await heading('Client')
    await userEvent.click(screen.getByLabelText('New client'))
    await userEvent.type(box('client.first_name'), 'Ann')
    await userEvent.type(box('client.last_name'), 'Ames')
    expect(calls('GET', '/api/clients/duplicates')).toHaveLength(0)
    await userEvent.tab()
    expect(await screen.findByText('This client may be known already')).toBeTruthy()
    await press(/^Use this client: Ann Ames/)
    expect(await screen.findByText('1 February 1950')).toBeTruthy()
    await next()
    await heading('Case details')
  })
})

describe('the draft', () => {
  test('is kept from the first change, one request at a time, and is in the address', async () => {
    const { router } = await open()
    expect(inProgress()).toBe(false)
    let release: (() => void) | undefined
    answer = (one) =>
      one.method === 'POST' && one.path === '/api/drafts' && !release
        ? new Promise((resolve) => {
            release = () => resolve(serveDrafts(one))
          })
        : undefined
    await pick('service', 'Independent Mental Capacity Advocacy (IMCA)')
    expect(inProgress()).toBe(true)
    await waitFor(() => expect(release).toBeTruthy(), { timeout: 3000 })
    await pick('case_type', 'IMCA - Serious medical treatment')
    await next()
    expect(calls('PUT', '/api/drafts')).toHaveLength(0)
    await act(async () => release!())
    await waitFor(() => expect(router.state.location.search).toBe('?draft=1'))
    await waitFor(() => expect(calls('PUT', '/api/drafts').length).toBeGreaterThan(0))
    expect(calls('POST', '/api/drafts')).toHaveLength(1)
    await waitFor(() =>
      expect(drafts.get(1)).toMatchObject({
        kind: 'case',
        payload: { completed: ['service'], document: { service: 1, case_type: 1 } },
      }),
    )
  })

  test('is saved without asking, and gone on with where it was left', async () => {
    const first = await open()
    await configure()
    await next()
    await heading('Client')
    await userEvent.click(screen.getByLabelText('New client'))
    await userEvent.type(box('client.last_name'), 'Bell')
    await press('Save draft')
    await screen.findByText('Another page')
    expect(at(first.router)).toBe('/dashboard/draft-cases')
    expect(drafts.get(1)).toMatchObject({ title: 'Bell', payload: { step: 'client-info' } })
    expect(inProgress()).toBe(false)
    cleanup()

    const { router } = await open('/case?draft=1')
    await heading('Client')
    expect(at(router)).toBe('/case/client-info')
    expect(box('client.last_name').value).toBe('Bell')
    expect(inProgress()).toBe(false)
    await userEvent.click(screen.getByText('Elsewhere'))
    await screen.findByText('Another page')
    expect(drafts.size).toBe(1)
  })

  test('is given up when the person leaves, and only then', async () => {
    await open()
    await configure()
    await waitFor(() => expect(drafts.size).toBe(1), { timeout: 3000 })
    await userEvent.click(screen.getByText('Elsewhere'))
    expect(await screen.findByText('Leave creating page?')).toBeTruthy()
    expect(screen.getByText('If you leave this page all changes will be lost')).toBeTruthy()
    await press('Continue adding case')
    await userEvent.click(screen.getByText('Elsewhere'))
    await userEvent.click(await screen.findByRole('button', { name: 'Leave' }))
    await screen.findByText('Another page')
    expect(drafts.size).toBe(0)
    expect(inProgress()).toBe(false)
  })

  test('stays when the session ends, and goes with a sign-out', async () => {
    const { unmount } = await open()
    await configure()
    await waitFor(() => expect(drafts.size).toBe(1), { timeout: 3000 })
    answer = () => [401, { message: 'Signed out' }]
    unmount()
    expect(drafts.size).toBe(1)
    answer = () => undefined
    await open('/case?draft=1')
    await pick('service', 'Care Act Advocacy (ICAA)')
    expect(inProgress()).toBe(true)
    await act(discard)
    expect(drafts.size).toBe(0)
  })

  test('tells what changed in the questions meanwhile, and loses no answer', async () => {
    await open()
    await configure()
    await next()
    await heading('Client')
    await chooseAnn()
    await next()
    await heading('Case details')
    await pick('case.answers.contacted_us', 'Email')
    await press('Save draft')
    await screen.findByText('Another page')
    cleanup()
    versionOfType = 2
    addField = true
    await open('/case?draft=1')
    await heading('Case details')
    expect(await screen.findByText('New: Extra')).toBeTruthy()
    expect(screen.getByText(/No longer asked: How they contacted us/)).toBeTruthy()
    expect(box('case.answers.contacted_us')).toBeNull()
    await userEvent.type(box('case.answers.extra'), 'x')
    await press('Save draft')
    await screen.findByText('Another page')
    expect(drafts.get(1)).toMatchObject({
      payload: { document: { case: { answers: { contacted_us: 3, extra: 'x' } } } },
    })
  })
})

describe('another service', () => {
  async function answered() {
    await open()
    await configure()
    await next()
    await heading('Client')
    await chooseAnn()
    await next()
    await heading('Case details')
    await pick('case.contract', 'IMCA - contract A1')
    await press('Back')
    await heading('Client')
    await press('Back')
    await heading('Service')
  }

  test('asks before it takes later answers away', async () => {
    await answered()
    await pick('service', 'Care Act Advocacy (ICAA)')
    expect(await screen.findByText('Warning! You have unsaved changes')).toBeTruthy()
    await press('Cancel')
    await waitFor(() => expect(box('service').value).toBe('1'))
    expect(box('case_type').value).toBe('1')
    await pick('service', 'Care Act Advocacy (ICAA)')
    await press('Continue')
    await pick('case_type', 'Care Act advocacy')
    await next()
    await heading('Client')
    expect(await screen.findByText('Ames')).toBeTruthy()
    await next()
    await heading('Case details')
    expect(box('case.contract').value).toBe('')
  })
})
