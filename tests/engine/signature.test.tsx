import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from './fakeServer.ts'
import { field, openForm, section } from './openForm.tsx'

/** jsdom draws nothing: what is drawn is told by the calls. */
const context = {
  fillRect: vi.fn(),
  fillText: vi.fn(),
  beginPath: vi.fn(),
  moveTo: vi.fn(),
  lineTo: vi.fn(),
  stroke: vi.fn(),
}

beforeEach(() => {
  const canvas = HTMLCanvasElement.prototype
  vi.spyOn(canvas, 'getContext').mockReturnValue(context as never)
  vi.spyOn(canvas, 'toBlob').mockImplementation((done) => done(new Blob(['picture'], { type: 'image/png' })))
  vi.spyOn(canvas, 'getBoundingClientRect').mockReturnValue(new DOMRect(10, 20, 480, 160))
  const captured = new Set<number>()
  Object.assign(canvas, {
    setPointerCapture: (id: number) => captured.add(id),
    hasPointerCapture: (id: number) => captured.has(id),
  })
  fakeServer.use({
    'POST /api/files': { status: 201, data: { id: 77 } },
    'GET /api/files/77': { data: new Blob(['picture'], { type: 'image/png' }) },
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.clearAllMocks()
})

const open = (attrs = {}) => openForm(section([field('consent', 'signature', attrs)]))
const sheet = () => screen.findByRole('img', { name: /^Area to sign in/ })
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const at = (clientX: number, clientY: number) => ({
  clientX,
  clientY,
  pointerId: 1,
  isPrimary: true,
  button: 0,
})

test('is drawn where the pointer is on the picture, stored and shown', async () => {
  const { values } = open()
  const paper = await sheet()
  fireEvent(paper, new MouseEventWithPointer('pointermove', at(0, 0)))
  expect(context.lineTo).not.toHaveBeenCalled()
  fireEvent(paper, new MouseEventWithPointer('pointerdown', at(10, 20)))
  fireEvent(paper, new MouseEventWithPointer('pointermove', at(250, 100)))
  expect(context.lineTo.mock.calls).toEqual([
    [0, 0],
    [480, 160],
  ])
  expect(screen.getByText('Not stored yet: use this signature or clear it')).toBeTruthy()
  expect(values()).toEqual({})
  await press('Use this signature: Consent')
  const picture = await screen.findByRole<HTMLImageElement>('img', { name: 'Consent' })
  expect(picture.src).toMatch(/^data:image\/png;base64,/)
  expect(values()).toEqual({ consent: 77 })
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Sign again: Consent' }))
})

test('that is drawn and not used yet keeps the form from being saved', async () => {
  const { form, submit } = open()
  await sheet()
  const name = screen.getByRole('textbox', { name: 'Or type the name to sign with' })
  await userEvent.type(name, 'Ann Ash')
  expect(form.isDirty()).toBe(true)
  const refused = { consent: ['Use the signature of Consent, or clear it'] }
  expect(submit()).toEqual(refused)
  expect(screen.getByRole('link', { name: refused.consent[0] })).toBeTruthy()
  await press('Clear Consent')
  expect([submit(), form.isDirty()]).toEqual([{}, false])
  await userEvent.type(name, 'Ann Ash')
  await press('Use this signature: Consent')
  await screen.findByRole('img', { name: 'Consent' })
  expect(submit()).toEqual({})
})

test('is typed by those who cannot draw', async () => {
  const { values } = open()
  await sheet()
  await userEvent.type(screen.getByRole('textbox', { name: 'Or type the name to sign with' }), 'Ann Ash')
  expect(context.fillText.mock.calls.at(-1)?.[0]).toBe('Ann Ash')
  await press('Use this signature: Consent')
  await waitFor(() => expect(values()).toEqual({ consent: 77 }))
})

test('is not stored while nothing is drawn, and can be made again', async () => {
  const { values, submit } = open({ required: true, required_text: 'Sign here' })
  await sheet()
  await press('Use this signature: Consent')
  expect(screen.getByText('Draw the signature or type the name first')).toBeTruthy()
  expect(submit()).toEqual({ consent: ['Sign here'] })
  const fieldset = screen.getByRole('group', { name: 'Consent' })
  await userEvent.click(screen.getByRole('link', { name: 'Sign here' }))
  expect(fieldset.contains(document.activeElement)).toBe(true)
  await userEvent.type(screen.getByRole('textbox'), 'A')
  await press('Clear Consent')
  await press('Use this signature: Consent')
  expect(fakeServer.requestsTo('POST /api/files')).toHaveLength(0)
  await userEvent.type(screen.getByRole('textbox'), 'Ann')
  await press('Use this signature: Consent')
  await userEvent.click(await screen.findByRole('button', { name: 'Sign again: Consent' }))
  await sheet()
  expect(values().consent).toBeUndefined()
})

test('is shown as a picture if it is only read, or a text says that it cannot be', async () => {
  const fields = [field('consent', 'signature'), field('other', 'signature')]
  fakeServer.use({ 'GET /api/files/78': { status: 404, data: {} } })
  openForm(section(fields), { consent: 77, other: 78 }, { readOnly: true })
  expect(await screen.findByRole('img', { name: 'Consent' })).toBeTruthy()
  expect(await screen.findByText('The picture cannot be shown')).toBeTruthy()
})

/** jsdom has no pointer events of its own. */
class MouseEventWithPointer extends MouseEvent {
  pointerId: number
  isPrimary: boolean
  constructor(type: string, init: MouseEventInit & { pointerId: number; isPrimary: boolean }) {
    super(type, { bubbles: true, ...init })
    this.pointerId = init.pointerId
    this.isPrimary = init.isPrimary
  }
}
