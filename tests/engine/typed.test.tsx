// @vitest-environment jsdom
import { cleanup, screen as view, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
// Fetched when they are needed; here before that, so that no test waits for them.
import '../../src/engine/actions/TypedConfirm.tsx'
import '../../src/engine/list/List.tsx'
import { open, page, serve } from './context.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const list = (columns: unknown[], ...actions: object[]) => ({
  boats: { route: '/boats', kind: 'list', title: 'Boats', source: 'boats.list', columns, actions },
})
const answers = {
  'GET /boats/': () => ({ data: page([{ id: 7, name: 'Mary Ann' }]) }),
  'GET /harbours/': () => ({ data: [] }),
}

it('goes on only when the text is typed, whatever its case, and by Enter too', async () => {
  const sink = { label: 'Sink', call: 'boats.remove', confirm: 'Sink {name}?', typed: '{name}', danger: true }
  const sent = serve({ ...answers, 'DELETE /boat/7/': () => ({ status: 204 }) })
  open(list(['name'], sink), '/boats')
  await userEvent.click(await view.findByRole('button', { name: /^Sink/ }, { timeout: 5000 }))
  const dialog = within(await view.findByRole('alertdialog', { name: 'Sink Mary Ann' }))
  expect(dialog.getByText('Sink Mary Ann?')).toBeTruthy()
  const box = dialog.getByLabelText('Type Mary Ann to go on')
  const yes = () => dialog.getByRole<HTMLButtonElement>('button', { name: 'Sink' })
  expect(yes().disabled).toBe(true)
  await userEvent.type(box, 'mary{Enter}')
  expect(sent.some(({ method }) => method === 'DELETE')).toBe(false)
  await userEvent.type(box, '  ANN ')
  expect(yes().disabled).toBe(false)
  await userEvent.type(box, '{Enter}')
  await waitFor(() => expect(sent.filter(({ method }) => method === 'DELETE')).toHaveLength(1))
  await waitFor(() => expect(view.queryByRole('alertdialog')).toBeNull())
})

it('saves a file of the server by a call instead of going there', async () => {
  const headers = { 'content-disposition': 'attachment; filename="paper.pdf"' }
  const sent = serve({ ...answers, 'GET /api/files/7': () => ({ data: new Blob(['x']), headers }) })
  URL.createObjectURL = vi.fn(() => 'blob:1')
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  const { address } = open(list([{ field: 'name', link: '/api/files/{id}' }]), '/boats')
  await userEvent.click(await view.findByRole('button', { name: /^Download\s+Mary Ann/ }, { timeout: 5000 }))
  await waitFor(() => expect(saved).toEqual(['paper.pdf']))
  expect(sent.some(({ url }) => url === '/api/files/7')).toBe(true)
  expect(address()).toBe('/boats')
})
