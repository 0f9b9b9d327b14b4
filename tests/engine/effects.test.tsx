import { screen as view, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Contract } from '../../src/contract/contract.ts'
import type { FormScreen, Screen } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { contract } from './boats.ts'
import { fakeServer, type Reply } from './fakeServer.ts'
import { open } from './open.tsx'

const SAVE = 'PATCH /boat/7/'
const ADD = 'POST /boat/'
const EFFECTS = 'POST /boat/7/effects/'
const ADD_EFFECTS = 'POST /boat/effects/'
const withEffects: Contract = {
  ...contract,
  endpoints: {
    ...contract.endpoints,
    'boats.update': { call: 'PATCH /boat/{id}/', does: 'update boat', roles: 'staff' },
    'boats.create': { call: ADD, does: 'create boat', roles: 'staff' },
    'boats.effects': { call: 'POST /boat/{id}/effects/', does: 'boats.effects', touches: [], roles: 'staff' },
    'boats.addEffects': { call: ADD_EFFECTS, does: 'boats.addEffects', touches: [], roles: 'staff' },
  } as Contract['endpoints'],
}
const FORM: Pick<FormScreen, 'kind' | 'title' | 'groups'> = {
  kind: 'form',
  title: 'Boat',
  groups: [{ fields: ['name'] }],
}
const screens: Record<string, Screen> = {
  boat: {
    ...FORM,
    route: '/boats/{id}',
    read: 'boats.read',
    save: 'boats.update',
    effects: { call: 'boats.effects', label: 'Berths that would move' },
  },
  newBoat: {
    ...FORM,
    route: '/new-boat',
    save: 'boats.create',
    effects: { call: 'boats.addEffects', label: 'Berths that would move' },
  },
}
const MOVED: Reply = { data: [{ id: 'a', label: 'Berth 4: 2 boats' }] }

beforeEach(() => {
  const saved = ({ body }: { body: Values }): Reply => ({ data: { id: 7, version: 2, name: 'Ann', ...body } })
  fakeServer.use({
    'GET /boat/7/': { data: { id: 7, version: 1, name: 'Ann' } },
    [SAVE]: saved,
    [ADD]: saved,
    [EFFECTS]: MOVED,
    [ADD_EFFECTS]: MOVED,
  })
})

const question = async () => within(await view.findByRole('alertdialog', { name: 'Save this?' }))
const press = async (name: string) => userEvent.click(await view.findByRole('button', { name }))
const saves = (call: string) => fakeServer.requestsTo(call).map(({ body }) => body)

describe.each([
  { what: 'a record', at: '/boats/7', effects: EFFECTS, save: SAVE },
  { what: 'a new record', at: '/new-boat', effects: ADD_EFFECTS, save: ADD },
])('saving $what', ({ at, effects, save }) => {
  const begin = async () => {
    const opened = await open(screens, at, { contract: withEffects })
    await userEvent.type(await view.findByLabelText(/^Name/), 'X')
    await press('Save')
    return opened
  }

  it('lists what it would do to others and asks, then sends the same body', async () => {
    await begin()
    const dialog = await question()
    expect(dialog.getByText('Berths that would move:')).toBeTruthy()
    expect(dialog.getByRole('listitem').textContent).toBe('Berth 4: 2 boats')
    expect(saves(save)).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(saves(save)).toEqual(saves(effects)))
    expect(saves(save)).toHaveLength(1)
  })

  it('goes back to the form, which has kept what was typed, and asks again', async () => {
    await begin()
    await userEvent.click((await question()).getByRole('button', { name: 'Back to the form' }))
    await waitFor(() => expect(view.queryByRole('alertdialog')).toBeNull())
    expect(view.getByLabelText<HTMLInputElement>(/^Name/).value).toMatch(/X$/)
    await press('Save')
    await question()
    expect([saves(effects).length, saves(save).length]).toEqual([2, 0])
  })

  it('asks nothing where it would do nothing', async () => {
    fakeServer.use({ [effects]: { data: [] } })
    await begin()
    await waitFor(() => expect(saves(save)).toHaveLength(1))
    expect(view.queryByRole('alertdialog')).toBeNull()
  })

  it('shows the errors of the form when these are found first', async () => {
    fakeServer.use({ [effects]: { status: 400, data: { name: ['Another boat has it'] } } })
    await begin()
    expect((await view.findAllByText(/Another boat has it/)).length).toBeGreaterThan(0)
    expect([view.queryByRole('alertdialog'), saves(save)]).toEqual([null, []])
  })
})
