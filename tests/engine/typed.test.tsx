import { screen as view, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import '../../src/engine/actions/TypedConfirm.tsx'
import { fakeServer, page } from './fakeServer.ts'
import { open } from './open.tsx'

beforeEach(() => fakeServer.use(handlers))

const list = (columns: unknown[], ...actions: object[]) => ({
  boats: { route: '/boats', kind: 'list', title: 'Boats', source: 'boats.list', columns, actions },
})
const handlers = {
  'GET /boats/': page([{ id: 7, name: 'Mary Ann' }]),
  'GET /harbours/': { data: [] },
}

it('confirms only once the text is typed, in any case, and by Enter too', async () => {
  const sink = { label: 'Sink', call: 'boats.remove', confirm: 'Sink {name}?', typed: '{name}', danger: true }
  fakeServer.use({ 'DELETE /boat/7/': { status: 204 } })
  await open(list(['name'], sink), '/boats')
  await userEvent.click(await view.findByRole('button', { name: /^Sink/ }))
  const dialog = within(await view.findByRole('alertdialog', { name: 'Sink Mary Ann' }))
  expect(dialog.getByText('Sink Mary Ann?')).toBeTruthy()
  const box = dialog.getByLabelText('Type Mary Ann to go on')
  const yes = () => dialog.getByRole<HTMLButtonElement>('button', { name: 'Sink' })
  expect(yes().disabled).toBe(true)
  await userEvent.type(box, 'mary{Enter}')
  expect(fakeServer.requestsTo('DELETE /boat/7/')).toEqual([])
  await userEvent.type(box, '  ANN ')
  expect(yes().disabled).toBe(false)
  await userEvent.type(box, '{Enter}')
  await waitFor(() => expect(fakeServer.requestsTo('DELETE /boat/7/')).toHaveLength(1))
  await waitFor(() => expect(view.queryByRole('alertdialog')).toBeNull())
})

it('names the record in its title and button, and lists first what goes with it', async () => {
  const sink = {
    label: 'Sink',
    title: 'Sink {name} for good',
    call: 'boats.remove',
    check: 'boats.of',
    checked: 'Deleted with it',
    confirm: 'Sink {name}?',
    typed: '{name}',
  }
  fakeServer.use({ 'GET /harbour/7/boats/': { data: [{ id: '1', label: '2 sails' }] } })
  await open(list(['name'], sink), '/boats')
  await userEvent.click(await view.findByRole('button', { name: /^Sink/ }))
  const dialog = within(await view.findByRole('alertdialog', { name: 'Sink Mary Ann for good' }))
  expect(await dialog.findByText('2 sails')).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Type Mary Ann to go on'), 'Mary Ann')
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Sink Mary Ann for good' }).disabled).toBe(
    false,
  )
})

it('downloads a stored file by a call instead of navigating to it', async () => {
  const headers = { 'content-disposition': 'attachment; filename="paper.pdf"' }
  fakeServer.use({ 'GET /api/files/7': { data: new Blob(['x']), headers } })
  URL.createObjectURL = vi.fn(() => 'blob:1')
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  const { address } = await open(list([{ field: 'name', link: '/api/files/{id}' }]), '/boats')
  await userEvent.click(await view.findByRole('button', { name: /^Download\s+Mary Ann/ }))
  await waitFor(() => expect(saved).toEqual(['paper.pdf']))
  expect(fakeServer.requestsTo('GET /api/files/7')).toHaveLength(1)
  expect(address()).toBe('/boats')
})
