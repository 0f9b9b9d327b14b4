import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Action } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { Actions } from '../../src/engine/actions/Actions.tsx'
import { contract } from '../loadedContract.ts'
import { fakeServer } from './fakeServer.ts'
import { openElement, person } from './open.tsx'
import { lookupHandlers } from './product.ts'

const HELD = {
  code: 'held',
  message: 'The concern has no outcome',
  label: 'Open concern',
  hold: 9,
  may_pass: true,
  ask: null,
}
const RETIRE: Action = { label: 'Retire', call: 'cases.retire', done: 'Case {id} is retired' }
const REOPEN: Action = { label: 'Reopen', call: 'issues.reopen', form: 'withReason', done: 'Opened' }

/** Opens an action; the call at `path` is refused by each of the holds until it is passed. */
function open(action: Action, path: string, holds: object[]) {
  let passed = 0
  fakeServer.use({
    ...lookupHandlers,
    'POST /api/holds/{id}/pass': () => {
      passed += 1
      return { status: 204 }
    },
    [path]: () => (passed < holds.length ? { status: 409, data: holds[passed] } : { data: { id: 7 } }),
  })
  const record: Values = { id: 7, version: 1 }
  const element = <Actions actions={[action]} record={record} params={{ id: '7' }} />
  return openElement(element, { contract, person: person([2]) }).notices
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const passes = () => fakeServer.requestsTo('POST /api/holds/{id}/pass')
const dialogOf = async (name: string) => within(await screen.findByRole('dialog', { name }))

test('asks why a hold is passed, and makes the same call again', async () => {
  const notices = open(RETIRE, 'GET /case/{id}/retire/', [HELD])
  await press('Retire')
  const dialog = await dialogOf('Open concern')
  expect(dialog.getByText(/^The concern has no outcome\. You can go on if you give a reason/)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Retire all the same' }))
  expect(passes()).toHaveLength(0)
  await userEvent.type(dialog.getByLabelText(/^Reason/), 'Dealt with elsewhere')
  await userEvent.click(dialog.getByRole('button', { name: 'Retire all the same' }))
  await waitFor(() => expect(notices.map(({ text }) => text)).toEqual(['Case 7 is retired']))
  expect(passes()).toMatchObject([{ params: { id: '9' }, body: { reason: 'Dealt with elsewhere' } }])
  expect(fakeServer.requestsTo('GET /case/{id}/retire/')).toHaveLength(2)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('asks for each of several holds', async () => {
  open(RETIRE, 'GET /case/{id}/retire/', [HELD, { ...HELD, hold: 10, label: 'No consent' }])
  await press('Retire')
  for (const label of ['Open concern', 'No consent']) {
    const dialog = await dialogOf(label)
    await userEvent.type(dialog.getByLabelText(/^Reason/), 'Known')
    await userEvent.click(dialog.getByRole('button', { name: 'Retire all the same' }))
  }
  await waitFor(() => expect(passes().map(({ params }) => params.id)).toEqual(['9', '10']))
})

test('keeps what was typed into the dialog of a call that stays held', async () => {
  const notices = open(REOPEN, 'POST /issue/{id}/reopen/', [HELD])
  await press('Reopen')
  const form = await dialogOf('Reopen')
  await userEvent.type(form.getByLabelText(/^Reason/), 'Closed too soon')
  await userEvent.click(form.getByRole('button', { name: 'Reopen' }))
  const dialog = await dialogOf('Open concern')
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Open concern' })).toBeNull())
  expect((form.getByLabelText(/^Reason/) as HTMLTextAreaElement).value).toBe('Closed too soon')
  expect([passes(), notices]).toEqual([[], []])
  await userEvent.click(form.getByRole('button', { name: 'Reopen' }))
  const again = await dialogOf('Open concern')
  await userEvent.type(again.getByLabelText(/^Reason/), 'Agreed')
  await userEvent.click(again.getByRole('button', { name: 'Reopen all the same' }))
  await waitFor(() => expect(notices.map(({ text }) => text)).toEqual(['Opened']))
  const sent = fakeServer.requestsTo('POST /issue/{id}/reopen/').map(({ body }) => body)
  expect(sent).toEqual(Array(3).fill({ reason: 'Closed too soon' }))
})
