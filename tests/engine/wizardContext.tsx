import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Link } from 'react-router-dom'
import { expect } from 'vitest'
import type { Values } from '../../src/contract/when.ts'
import { today } from '../../src/engine/core/today.ts'
import { contract } from '../loadedContract.ts'
import { type FakeRequest, fakeServer, type Handlers, type Reply } from './fakeServer.ts'
import { open, person } from './open.tsx'
import { CASE_TYPES, lookupHandlers } from './product.ts'

const ANN: Values = {
  id: 9,
  version: 1,
  first_name: 'Ann',
  last_name: 'Ames',
  dob: '1950-02-01',
  title: 2,
  status: 1,
  open_cases: [{ id: 238, case_type_label: 'Care Act advocacy', service_label: 'Care Act', status: 1 }],
}

/** The drafts on the fake server by their ids. */
const ALERTS = [{ level: 'danger', label: 'Open safeguarding concern', text: null }]

export const ALIKE: Values = {
  id: 9,
  first_name: 'Ann',
  last_name: 'Ames',
  dob: '1950-02-01',
  certainty: 'likely',
  reasons: ['same name', 'born in 1950'],
  visible: true,
  alerts: ALERTS,
}

export const drafts = new Map<number, Values>()

export function createDraft({ body }: FakeRequest): Reply {
  const id = drafts.size + 1
  const draft: Values = { ...body, id, version: 1, link: `${body.address}?draft=${id}` }
  drafts.set(id, draft)
  return { data: draft }
}

function updateDraft({ params, body }: FakeRequest): Reply {
  const id = Number(params.id)
  const draft = drafts.get(id)
  if (!draft) return { status: 404 }
  if (body.version !== draft.version) {
    const conflict = { code: 'conflict', message: 'Changed', fields: { payload: {} }, current: draft }
    return { status: 409, data: conflict }
  }
  const next = { ...draft, ...body, version: Number(draft.version) + 1 }
  drafts.set(id, next)
  return { data: next }
}

export const draftHandlers: Handlers = {
  'POST /api/drafts': createDraft,
  'GET /api/drafts/{id}': ({ params }) => {
    const draft = drafts.get(Number(params.id))
    return draft ? { data: draft } : { status: 404 }
  },
  'PUT /api/drafts/{id}': updateDraft,
  'DELETE /api/drafts/{id}': ({ params }) => ({ status: drafts.delete(Number(params.id)) ? 204 : 404 }),
}

function readCaseType({ params }: FakeRequest): Reply {
  const type = CASE_TYPES.find(({ value }) => value === Number(params.id))!
  return { data: { ...type, id: type.value, version: 1 } }
}

/** Publishes version 2 of every case type: 'contacted_us' is removed, 'extra' is new, `required` must be answered. */
export function publish(required?: string): void {
  fakeServer.use({
    'GET /case_type/{id}/': (request) => {
      const type = readCaseType(request).data as (typeof CASE_TYPES)[number]
      const [first, ...rest] = type.case_meta
      const extra = { name: 'extra', label: 'Extra', type: 'text' as const }
      const remaining = first.fields
        .filter(({ name }) => name !== 'contacted_us')
        .map((field) =>
          field.name === required ? { ...field, attrs: { ...field.attrs, required: true } } : field,
        )
      const fields = [...remaining, extra]
      return { data: { ...type, version: 2, case_meta: [{ ...first, fields }, ...rest] } }
    },
  })
}

/** Resets the drafts and the handlers of the wizard; its test files call it before each test. */
export function serveWizard(): void {
  drafts.clear()
  fakeServer.use({
    ...lookupHandlers,
    ...draftHandlers,
    'POST /case/': { status: 201, data: { id: 70, client: 9, issue: 71 } },
    'GET /client/9/index/': { data: ANN },
    'POST /api/clients/alike': ({ body }) => ({ data: body.last_name === 'Ames' ? [ALIKE] : [] }),
    'POST /api/clients/find': { data: [ALIKE, { ...ALIKE, id: 10, dob: '1961-03-02' }] },
    'GET /case_type/{id}/': readCaseType,
  })
}

export async function openWizard(at = '/case', services?: number[]) {
  const { 'new-case': inSteps, 'quick-case': onePage } = contract.screens
  const opened = await open({ 'new-case': inSteps, 'quick-case': onePage }, at, {
    contract,
    person: { ...person([4]), services },
    beside: <Link to="/elsewhere">Elsewhere</Link>,
  })
  await waitFor(() =>
    expect(
      screen.queryAllByRole('heading', { level: 1 }).length + screen.queryAllByText('Another page').length,
    ).toBeGreaterThan(0),
  )
  return opened
}
export const box = (name: string) => document.querySelector<HTMLInputElement>(`[id$=".${name}"]`)!
export const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }))
export const next = () => press('Next')
export const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
export const pick = async (name: string, label: string) => {
  await waitFor(() => expect(within(box(name)).queryByText(label), name).toBeTruthy())
  await userEvent.selectOptions(box(name), label)
}

/** The combobox of the case type, once its options are loaded. */
export async function caseTypeBox() {
  const found = (await screen.findByRole('combobox', { name: 'Case type' })) as HTMLInputElement
  await waitFor(() => expect(found.getAttribute('aria-busy')).toBeNull())
  return found
}
/** Chooses a case type, and with it its service. */
export async function chooseCaseType(label: string) {
  await userEvent.click(await caseTypeBox())
  await userEvent.click(screen.getByRole('option', { name: label }))
}
export async function configure() {
  await chooseCaseType('IMCA - Serious medical treatment')
  await screen.findByText('Case details')
}
export async function chooseAnn() {
  await userEvent.click(screen.getByLabelText('Existing client'))
  await userEvent.type(
    document.querySelector<HTMLInputElement>(
      '.typeahead input, [role=combobox]:not([aria-label="Case type"])',
    )!,
    'ann',
  )
  await userEvent.click(await screen.findByText(/^Date of birth 1 February 1950 .* ID 9$/))
  await screen.findByText('Ames')
}
export async function fillCase() {
  await pick('case.contract', 'IMCA - contract A1')
  await pick('case.answers.referring_from', 'GP')
  await pick('case.answers.instruction', 'Instructed')
  await pick('case.answers.consent_basis', 'Person consents')
  await fillRequired()
}
/** Fills every required field that is empty, with its first option. */
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

/** Goes on to the step of the client and types the name of a new one, Beth Bell. */
export async function typeNewClient() {
  await next()
  await heading('Client')
  await userEvent.click(screen.getByLabelText('New client'))
  await userEvent.type(box('client.first_name'), 'Beth')
  await userEvent.type(box('client.last_name'), 'Bell')
}
