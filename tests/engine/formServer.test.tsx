import { screen as view, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { contract } from './boats.ts'
import { fakeServer } from './fakeServer.ts'
import { open } from './open.tsx'

const FIELDS = [
  { name: 'label', label: 'Label', type: 'text', attrs: { required: true } },
  { name: 'place', label: 'Place', type: 'integer', attrs: {} },
  { name: 'state', label: 'State', type: 'text', attrs: { read_only: true } },
]
Object.assign(contract.entities, {
  thing: {
    $id: 'thing',
    title: 'Thing',
    type: 'object',
    properties: {
      id: { title: 'ID', type: 'integer' },
      version: { title: 'Version', type: 'integer' },
      name: { title: 'Kind', type: 'string' },
      fields: { title: 'Fields', type: 'array' },
      data: { title: 'Data', type: 'object' },
    },
  },
})
Object.assign(contract.endpoints, {
  'things.blank': { call: 'GET /{app}/{kind}/new/', does: 'things.blank', reply: 'thing', roles: 'staff' },
  'things.read': { call: 'GET /{app}/{kind}/{id}/', does: 'things.read', reply: 'thing', roles: 'staff' },
  'things.add': { call: 'POST /{app}/{kind}/new/', does: 'things.add', reply: 'thing', roles: 'staff' },
  'things.save': {
    call: 'PATCH /{app}/{kind}/{id}/',
    does: 'things.save',
    reply: 'thing',
    touches: ['thing'],
    roles: 'staff',
  },
})
const SCREENS = {
  thing: {
    route: '/things/{kind}/{id}',
    kind: 'form',
    title: '{name}: {label}',
    fixedParams: { app: 'sea' },
    read: 'things.read',
    save: 'things.save',
    groups: [{ from: 'record.fields', at: 'data' }],
  },
  newThing: {
    route: '/things/{kind}/new',
    kind: 'form',
    title: 'Add: {with.model.name}',
    fixedParams: { app: 'sea' },
    save: 'things.add',
    with: { model: { read: 'things.blank', params: { app: 'query.app', kind: 'query.kind' } } },
    groups: [{ from: 'with.model.fields', at: 'data' }],
  },
}
const thing = (label: string, version = 3) => ({
  id: 5,
  version,
  name: 'Buoy',
  label,
  fields: FIELDS,
  data: { label, place: 2, state: 'Afloat' },
})

describe('a form whose fields the server sends', () => {
  it('renders the fields of the record, and sends changed values with its version', async () => {
    fakeServer.use({
      'GET /sea/buoy/5/': { data: thing('Old') },
      'PATCH /sea/buoy/5/': { data: thing('New', 4) },
    })
    const { notices } = await open(SCREENS, '/things/buoy/5')
    const label = await view.findByLabelText('Label')
    expect(view.getByRole('heading', { level: 1 }).textContent).toBe('Buoy: Old')
    expect(view.getByText('Afloat').closest('.field')?.querySelector('input')).toBeNull()
    await userEvent.clear(label)
    await userEvent.type(label, 'New')
    await userEvent.click(view.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(notices.map((n) => n.text)).toEqual([expect.stringMatching(/^Saved: ./)]))
    expect(fakeServer.requestsTo('PATCH /sea/buoy/5/')[0].body).toEqual({
      data: { label: 'New' },
      version: 3,
    })
    await waitFor(() => expect(view.getByRole('heading', { level: 1 }).textContent).toBe('Buoy: New'))
  })

  it('shows the server’s validation errors beside their fields', async () => {
    fakeServer.use({
      'GET /sea/buoy/5/': { data: thing('Old') },
      'PATCH /sea/buoy/5/': { status: 400, data: { 'data.label': ['There is one like this'] } },
    })
    await open(SCREENS, '/things/buoy/5')
    await userEvent.type(await view.findByLabelText('Label'), 'er')
    await userEvent.click(view.getByRole('button', { name: 'Save' }))
    await view.findByRole('heading', { name: 'There is a problem' })
    expect(document.querySelector('.field-error')?.textContent).toContain('There is one like this')
  })

  it('resolves a conflict by keeping mine', async () => {
    const conflict = {
      code: 'conflict',
      fields: { 'data.label': { base: 'Old', mine: 'Mine', theirs: 'Theirs', by: 'Bob' } },
      current: thing('Theirs', 4),
    }
    fakeServer.use({
      'GET /sea/buoy/5/': { data: thing('Old') },
      'PATCH /sea/buoy/5/': ({ body }) =>
        body.version === 3 ? { status: 409, data: conflict } : { data: thing('Mine', 5) },
    })
    await open(SCREENS, '/things/buoy/5')
    const label = await view.findByLabelText('Label')
    await userEvent.clear(label)
    await userEvent.type(label, 'Mine')
    await userEvent.click(view.getByRole('button', { name: 'Save' }))
    await userEvent.click(await view.findByRole('radio', { name: /Keep mine/ }))
    await userEvent.click(view.getAllByRole('button', { name: 'Save' })[0])
    await waitFor(() =>
      expect(fakeServer.requestsTo('PATCH /sea/buoy/5/')[1]?.body).toEqual({
        data: { label: 'Mine' },
        version: 4,
      }),
    )
  })

  it('renders the fields of a new record, by the parts of its address', async () => {
    fakeServer.use({
      'GET /sea/buoy/new/': { data: { ...thing(''), data: {} } },
      'POST /sea/buoy/new/': { status: 201, data: thing('Red') },
    })
    await open(SCREENS, '/things/buoy/new')
    await userEvent.type(await view.findByLabelText('Label'), 'Red')
    expect(view.getByRole('heading', { level: 1 }).textContent).toBe('Add: Buoy')
    await userEvent.click(view.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(fakeServer.requestsTo('POST /sea/buoy/new/')[0]?.body).toEqual({ data: { label: 'Red' } }),
    )
  })
})

describe('a form that is published again while it is open', () => {
  const model = (version: number, label = 'Label') => ({
    id: 1,
    version,
    label: 'Buoys',
    name: 'Buoy',
    fields: FIELDS.map((field) => (field.name === 'label' ? { ...field, label } : field)),
  })
  const SCREEN = {
    ...SCREENS.thing,
    with: { model: { read: 'things.blank', params: { app: 'query.app', kind: 'query.kind' } } },
    groups: [{ from: 'with.model.fields', at: 'data' }],
  }

  it('shows a note beside Save, keeps text and focus, and hides the note once it is dismissed or saved', async () => {
    let version = 1
    fakeServer.use({
      'GET /sea/buoy/5/': { data: thing('Old') },
      'GET /sea/buoy/new/': () => ({ data: model(version) }),
      'PATCH /sea/buoy/5/': { data: thing('Older', 4) },
    })
    const { client } = await open({ thing: SCREEN }, '/things/buoy/5')
    const box = await view.findByLabelText('Label')
    await userEvent.type(box, 'er')
    const publish = async () => {
      version += 1
      await client.invalidateQueries({ queryKey: ['call', 'things.blank'] })
      return view.findByText(/“Buoys” was changed while you had it open/)
    }
    const note = await publish()
    expect(note.closest('[role="status"]')).toBeTruthy()
    expect(note.closest('.form-bar')).toBe(view.getByRole('button', { name: 'Save' }).closest('.form-bar'))
    expect(note.parentElement?.textContent).toContain('This note disappears when you save')
    expect([document.activeElement, (box as HTMLInputElement).value]).toEqual([box, 'Older'])
    await userEvent.click(view.getByRole('button', { name: 'Dismiss this note' }))
    expect(view.queryByText(/was changed while/)).toBeNull()
    expect(document.activeElement).toBe(view.getByRole('button', { name: 'Save' }))
    await publish()
    await userEvent.click(view.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(view.queryByText(/was changed while/)).toBeNull())
  })
})
