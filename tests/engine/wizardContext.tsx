import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, Link, Outlet, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, expect } from 'vitest'
import type { WizardScreen } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { type Notice, subscribeToNotices } from '../../src/engine/runtime/notices.ts'
import { today } from '../../src/engine/runtime/today.ts'
import WizardKind from '../../src/engine/wizard/Wizard.tsx'
import { CASE_TYPES, contract, Providers, type Sent, serve } from './formFixtures.tsx'

export const ANN: Values = {
  id: 9,
  version: 1,
  first_name: 'Ann',
  last_name: 'Ames',
  dob: '1950-02-01',
  title: 2,
  status: 1,
}

/** What the server of these tests does and was told; a test may change it. */
export const fake = {
  sent: [] as Sent[],
  drafts: new Map<number, Values>(),
  versionOfType: 1,
  addField: false,
  create: (_: Sent): unknown => undefined,
  answer: (_: Sent): unknown => undefined,
  notices: [] as Notice[],
  unhear: () => {},
}

export function serveDrafts({ method, path, body }: Sent): unknown {
  const id = Number(path.split('/').at(-1))
  if (method === 'POST') {
    const draft = { ...body, id: fake.drafts.size + 1, version: 1 }
    fake.drafts.set(draft.id, draft)
    return draft
  }
  const draft = fake.drafts.get(id)
  if (!draft) return [404, { message: 'not here' }]
  if (method === 'GET') return draft
  if (method === 'DELETE') return fake.drafts.delete(id) && [204, '']
  if (body.version !== draft.version)
    return [409, { code: 'conflict', message: 'Changed', fields: { payload: {} }, current: draft }]
  const next = { ...draft, ...(body as Values), version: Number(draft.version) + 1 }
  fake.drafts.set(id, next)
  return next
}

function typeOf(id: number) {
  const type = CASE_TYPES.find((t) => t.value === id)!
  const [first, ...rest] = type.case_meta
  const fields = fake.addField
    ? [
        ...first.fields.filter((f) => f.name !== 'contacted_us'),
        { name: 'extra', label: 'Extra', type: 'text' },
      ]
    : first.fields
  return { ...type, id, version: fake.versionOfType, case_meta: [{ ...first, fields }, ...rest] }
}

beforeEach(() => {
  fake.drafts = new Map()
  fake.versionOfType = 1
  fake.addField = false
  fake.notices = []
  fake.unhear = subscribeToNotices((notice) => fake.notices.push(notice))
  fake.create = () => [201, { id: 70, client: 9, issue: 71 }]
  fake.answer = () => undefined
  fake.sent = serve((one) => {
    const given = fake.answer(one)
    if (given !== undefined) return given
    if (one.path.startsWith('/api/drafts')) return serveDrafts(one)
    if (one.path === '/case/') return fake.create(one)
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
  fake.unhear()
  cleanup()
})

export const calls = (method: string, path: string) =>
  fake.sent.filter((s) => s.method === method && s.path.startsWith(path))

export async function open(address = '/case') {
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
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  )
  await waitFor(() =>
    expect(
      screen.queryAllByRole('heading', { level: 1 }).length + screen.queryAllByText('Another page').length,
    ).toBeGreaterThan(0),
  )
  return { router, ...drawn }
}
export const at = (router: { state: { location: { pathname: string } } }) => router.state.location.pathname
export const box = (name: string) => document.querySelector<HTMLInputElement>(`[id$=".${name}"]`)!
export const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))
export const next = () => press('Next')
export const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
export const pick = async (name: string, label: string) => {
  await waitFor(() => expect(within(box(name)).queryByText(label), name).toBeTruthy())
  await userEvent.selectOptions(box(name), label)
}

export async function configure() {
  await pick('service', 'Independent Mental Capacity Advocacy (IMCA)')
  await pick('case_type', 'IMCA - Serious medical treatment')
  await screen.findByText('Case details')
}
export async function chooseAnn() {
  await userEvent.click(screen.getByLabelText('Existing client'))
  await userEvent.type(screen.getByRole('combobox'), 'ann')
  await userEvent.click(await screen.findByText('Date of birth 1 February 1950 · ID 9'))
  await screen.findByText('Ames')
}
export async function fillCase() {
  await pick('case.contract', 'IMCA - contract A1')
  await pick('case.answers.referring_from', 'GP')
  await pick('case.answers.instruction', 'Instructed')
  await pick('case.answers.consent_basis', 'Person consents')
  await fillRequired()
}
/** Answers whatever is still asked, with the first choice. */
export async function fillRequired() {
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
export async function toCheck() {
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
