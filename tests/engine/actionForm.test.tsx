// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Action, ListScreen } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { Actions } from '../../src/engine/actions/Actions.tsx'
import { type Notice, subscribeToNotices } from '../../src/engine/runtime/notices.ts'
import { contract, Providers, type Sent, serve } from './formFixtures.tsx'

const RISK = { id: 3, version: 2, client: 5, type: 1, details: 'Dog', review_date: '2030-01-02', file: null }
let sent: Sent[]
let reply: (one: Sent) => unknown
let notices: Notice[]
let unhear: () => void

beforeEach(() => {
  notices = []
  unhear = subscribeToNotices((notice) => notices.push(notice))
  reply = ({ body }) => ({ ...RISK, ...body })
  sent = serve((one) => {
    if (one.path === '/api/files') return [201, { id: 77 }]
    if (one.path === '/api/files/77/info') return { id: 77, name: 'plan.pdf' }
    return one.method === 'GET' ? undefined : reply(one)
  })
})
afterEach(() => {
  unhear()
  cleanup()
})

async function open(name: string, actions: Action[], label: string, record?: Values) {
  const element = <Actions actions={actions} record={record} params={{ id: '5' }} />
  const router = createMemoryRouter([{ path: '*', element }])
  render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  )
  await userEvent.click(screen.getByRole('button', { name: label }))
  const dialog = within(await screen.findByRole('dialog', { name }))
  await waitFor(() => expect(dialog.queryByText('Loading…')).toBeNull())
  return dialog
}
type Dialog = Awaited<ReturnType<typeof open>>
const { toolbar, actions } = contract.screens['client-risks'] as ListScreen
const box = (dialog: Dialog, label: RegExp) => dialog.getByLabelText(label) as HTMLInputElement
const press = (dialog: Dialog, name: string) => userEvent.click(dialog.getByRole('button', { name }))
const changes = () => sent.filter((s) => s.method !== 'GET' && s.path !== '/api/files')
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

test('a new record is asked for by its fields and sent to where the address leads', async () => {
  const dialog = await open('Add risk', toolbar!, 'Add')
  expect(dialog.queryByLabelText(/^Client/)).toBeNull()
  await press(dialog, 'Add')
  expect(dialog.getByRole('alert').textContent).toMatch(/type/i)
  expect(changes()).toEqual([])
  await userEvent.selectOptions(box(dialog, /^Type/), '1')
  await userEvent.type(box(dialog, /^Details/), 'Dog in the yard')
  reply = () => [400, { details: ['Details are too plain'] }]
  await press(dialog, 'Add')
  await waitFor(() => expect(dialog.getAllByText('Details are too plain')).toHaveLength(2))
  reply = ({ body }) => [201, { ...RISK, ...body }]
  await press(dialog, 'Add')
  await isGone()
  expect(changes().at(-1)).toMatchObject({
    method: 'POST',
    path: '/client/risk/5/',
    body: { type: 1, details: 'Dog in the yard' },
  })
  expect(notices.at(-1)?.text).toBe('The risk is added')
})

test('a file goes to the server at once and into the record with the rest', async () => {
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
  await isGone()
  expect(changes().at(-1)!.body).toEqual({ type: 1, file: 77 })
})

test('a change begins with the row and sends what is different, with the version', async () => {
  const dialog = await open('Change risk', actions!, 'Change', RISK)
  expect(box(dialog, /^Details/).value).toBe('Dog')
  await userEvent.clear(box(dialog, /^Details/))
  fireEvent.change(box(dialog, /^Review on/), { target: { value: '2031-01-02' } })
  await press(dialog, 'Change')
  await isGone()
  expect(changes()).toMatchObject([
    { method: 'PATCH', path: '/risk/3/', body: { details: null, review_date: '2031-01-02', version: 2 } },
  ])
  expect(Object.keys(changes()[0].body)).toHaveLength(3)
})

test('nothing new is not sent', async () => {
  const dialog = await open('Change risk', actions!, 'Change', RISK)
  await press(dialog, 'Change')
  await isGone()
  expect(changes()).toEqual([])
  expect(notices.at(-1)?.text).toBe('There is nothing new to save')
})

test('what others changed meanwhile is told; theirs comes in where nothing was typed', async () => {
  const dialog = await open('Change risk', actions!, 'Change', RISK)
  await userEvent.type(box(dialog, /^Details/), ' bites')
  const current = { ...RISK, version: 4, details: 'Cat', review_date: '2032-01-02' }
  reply = () => [
    409,
    { code: 'conflict', fields: { details: { base: 'Dog', mine: 'Dog bites', theirs: 'Cat' } }, current },
  ]
  await press(dialog, 'Change')
  expect((await dialog.findByRole('alert')).textContent).toMatch(/^Somebody else changed this.*Details/)
  expect(box(dialog, /^Details/).value).toBe('Dog bites')
  expect(box(dialog, /^Review on/).value).toBe('2032-01-02')
  reply = ({ body }) => ({ ...current, ...body })
  await press(dialog, 'Change')
  await isGone()
  expect(changes().at(-1)!.body).toEqual({ details: 'Dog bites', version: 4 })
})

test('what was typed is not lost without a question', async () => {
  const dialog = await open('Change risk', actions!, 'Change', RISK)
  await userEvent.type(box(dialog, /^Details/), ' bites')
  await press(dialog, 'Cancel')
  const question = within(await screen.findByRole('alertdialog'))
  await press(question, 'Cancel')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(box(dialog, /^Details/).value).toBe('Dog bites')
  await press(dialog, 'Cancel')
  await press(within(await screen.findByRole('alertdialog')), 'Leave')
  await isGone()
  expect(changes()).toEqual([])
})
