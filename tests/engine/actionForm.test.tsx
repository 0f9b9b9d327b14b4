import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { addInterceptors } from '../../src/app/core/interceptors.ts'
import { store } from '../../src/app/core/storage.ts'
import type { Action, FormScreen, ListScreen } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { Actions } from '../../src/engine/actions/Actions.tsx'
import type { Notice } from '../../src/engine/core/notices.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer } from './fakeServer.ts'
import { openElement, person } from './open.tsx'
import { lookupHandlers } from './product.ts'

const RISK = { id: 3, version: 2, client: 5, type: 1, details: 'Dog', review_date: '2030-01-02', file: null }
let notices: Notice[]

beforeEach(() =>
  fakeServer.use({
    ...lookupHandlers,
    'POST /api/files': { status: 201, data: { id: 77 } },
    'GET /api/files/77/info': { data: { id: 77, name: 'plan.pdf' } },
    'POST /client/risk/5/': ({ body }) => ({ status: 201, data: { ...RISK, ...body } }),
    'PATCH /risk/3/': ({ body }) => ({ data: { ...RISK, ...body } }),
  }),
)

async function open(name: string, actions: Action[], label: string, record?: Values) {
  const element = <Actions actions={actions} record={record} params={{ id: '5' }} />
  notices = openElement(element, { contract, person: person([4]) }).notices
  await userEvent.click(screen.getByRole('button', { name: label }))
  const dialog = within(await screen.findByRole('dialog', { name }))
  await waitFor(() => expect(dialog.queryByText('Loading…')).toBeNull())
  return dialog
}
type Dialog = Awaited<ReturnType<typeof open>>
const { toolbar, actions } = contract.screens['client-risks'] as ListScreen
const box = (dialog: Dialog, label: RegExp) => dialog.getByLabelText(label) as HTMLInputElement
const press = (dialog: Dialog, name: string) => userEvent.click(dialog.getByRole('button', { name }))
const changes = () => fakeServer.requests.filter((one) => one.method !== 'GET' && one.path !== '/api/files')
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

test('asks for the fields that a call replies, and is titled by what they are about', async () => {
  const action = { ...toolbar![0], label: 'Correct', formCall: 'bulk.correctionForm', dialog: undefined }
  const options = ['Benefits', 'Housing'].map((label) => ({ value: label, label }))
  const field = { name: 'to', label: 'Issue type', type: 'select', attrs: { required: true, options } }
  fakeServer.use({
    'GET /api/bulk/4/targets/issue.type': async () => {
      await screen.findByRole('dialog', { name: 'Correct' })
      await waitFor(() => expect(document.activeElement?.closest('.dialog')).toBeTruthy())
      return { data: { id: 4, name: 'Issue type', fields: [field] } }
    },
  })
  const dialog = await open('Correct: Issue type', [action], 'Correct', { upload: 4, target: 'issue.type' })
  await userEvent.selectOptions(box(dialog, /^Issue type/), 'Housing')
  await press(dialog, 'Correct')
  await isClosed()
  expect(changes().at(-1)!.body).toMatchObject({ to: 'Housing' })
  // The dialog that waited for the fields was another one.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Correct' })))
})

test('creates a record from its fields, with the path of the call from the address', async () => {
  onTestFinished(addInterceptors(contract))
  store('csrf', 'a')
  const dialog = await open('Add risk', toolbar!, 'Add')
  expect(dialog.queryByLabelText(/^Client/)).toBeNull()
  await press(dialog, 'Add')
  expect(dialog.getByRole('alert').textContent).toMatch(/type/i)
  expect(changes()).toEqual([])
  await userEvent.selectOptions(box(dialog, /^Type/), '1')
  await userEvent.type(box(dialog, /^Details/), 'Dog in the yard')
  fakeServer.use({
    'POST /client/risk/5/': { status: 400, data: { details: ['Details are too plain'] } },
  })
  await press(dialog, 'Add')
  await waitFor(() => expect(dialog.getAllByText('Details are too plain')).toHaveLength(2))
  expect(notices, 'the dialog says it').toEqual([])
  fakeServer.use({ 'POST /client/risk/5/': ({ body }) => ({ status: 201, data: { ...RISK, ...body } }) })
  await press(dialog, 'Add')
  await isClosed()
  expect(changes().at(-1)).toMatchObject({
    method: 'POST',
    path: '/client/risk/5/',
    body: { type: 1, details: 'Dog in the yard' },
  })
  expect(notices.at(-1)?.text).toBe('The risk is added')
})

test('uploads a file at once and saves its id with the record', async () => {
  const dialog = await open('Add risk', toolbar!, 'Add')
  await userEvent.selectOptions(box(dialog, /^Type/), '1')
  await userEvent.upload(box(dialog, /^File/), new File(['x'], 'plan.pdf', { type: 'application/pdf' }))
  await dialog.findByText('plan.pdf is uploaded')
  const remove = dialog.getByRole('button', { name: 'Remove File' })
  expect(dialog.queryByLabelText(/^File/)).toBeNull()
  await userEvent.click(remove)
  expect(document.activeElement).toBe(box(dialog, /^File/))
  await userEvent.upload(box(dialog, /^File/), new File(['x'], 'plan.pdf', { type: 'application/pdf' }))
  await dialog.findByText('plan.pdf is uploaded')
  await press(dialog, 'Add')
  await isClosed()
  expect(changes().at(-1)!.body).toEqual({ type: 1, file: 77 })
})

test('starts an edit with the row, and sends the changed values with the version', async () => {
  const dialog = await open('Change risk', actions!, 'Change', RISK)
  expect(box(dialog, /^Details/).value).toBe('Dog')
  await userEvent.clear(box(dialog, /^Details/))
  fireEvent.change(box(dialog, /^Review on/), { target: { value: '2031-01-02' } })
  await press(dialog, 'Change')
  await isClosed()
  expect(changes()).toMatchObject([
    { method: 'PATCH', path: '/risk/3/', body: { details: null, review_date: '2031-01-02', version: 2 } },
  ])
  expect(Object.keys(changes()[0].body)).toHaveLength(3)
})

test('sends nothing without changes', async () => {
  const dialog = await open('Change risk', actions!, 'Change', RISK)
  await press(dialog, 'Change')
  await isClosed()
  expect(changes()).toEqual([])
  expect(notices.at(-1)?.text).toBe('There is nothing new to save')
})

test('shows a conflict, and merges their values into fields that were not edited', async () => {
  const dialog = await open('Change risk', actions!, 'Change', RISK)
  await userEvent.type(box(dialog, /^Details/), ' bites')
  const current = { ...RISK, version: 4, details: 'Cat', review_date: '2032-01-02' }
  const conflict = {
    code: 'conflict',
    fields: { details: { base: 'Dog', mine: 'Dog bites', theirs: 'Cat' } },
    current,
  }
  fakeServer.use({ 'PATCH /risk/3/': { status: 409, data: conflict } })
  await press(dialog, 'Change')
  expect((await dialog.findByRole('alert')).textContent).toMatch(/^Somebody else changed this.*Details/)
  expect(box(dialog, /^Details/).value).toBe('Dog bites')
  expect(box(dialog, /^Review on/).value).toBe('2032-01-02')
  fakeServer.use({ 'PATCH /risk/3/': ({ body }) => ({ data: { ...current, ...body } }) })
  await press(dialog, 'Change')
  await isClosed()
  expect(changes().at(-1)!.body).toEqual({ details: 'Dog bites', version: 4 })
})

test('asks before typed values are discarded', async () => {
  const dialog = await open('Change risk', actions!, 'Change', RISK)
  await userEvent.type(box(dialog, /^Details/), ' bites')
  await press(dialog, 'Cancel')
  const question = within(await screen.findByRole('alertdialog'))
  await press(question, 'Cancel')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(box(dialog, /^Details/).value).toBe('Dog bites')
  await press(dialog, 'Cancel')
  await press(within(await screen.findByRole('alertdialog')), 'Leave')
  await isClosed()
  expect(changes()).toEqual([])
})

test('begins with the values that the action takes from the record', async () => {
  const profile = contract.screens.profile as FormScreen
  fakeServer.use({ 'PATCH /api/staff/me/digest': ({ body }) => ({ data: { id: 1, ...body } }) })
  const name = 'Choose email digest'
  const action = profile.actions!.find(({ label }) => label === name)!
  const dialog = await open(name, [action], name, { id: 1, digest: 'weekly' })
  expect(box(dialog, /^How often/).value).toBe('weekly')
  await userEvent.selectOptions(box(dialog, /^How often/), 'daily')
  await press(dialog, name)
  await isClosed()
  expect(changes()).toMatchObject([{ path: '/api/staff/me/digest', body: { digest: 'daily' } }])
})
