import { fireEvent, render, screen as view, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { Dialog } from '../../src/engine/core/Dialog.tsx'
import { useFocusTracking } from '../../src/engine/core/focusTracking.ts'
import { fakeServer, page } from './fakeServer.ts'
import { open } from './open.tsx'

const user = userEvent.setup()
const names = ['Ann', 'Bob', 'Cat']
const boats = (rows: string[], status = 1) =>
  page(rows.map((name) => ({ id: names.indexOf(name) + 7, name, status })))
const list = (...actions: object[]) => ({
  boats: { route: '/boats', kind: 'list', title: 'Boats', source: 'boats.list', columns: ['name'], actions },
})
beforeEach(() => fakeServer.use({ 'GET /harbours/': { data: [] } }))

const focusedText = () => document.activeElement?.textContent ?? document.activeElement?.tagName

it.each([
  ['a confirmation', { label: 'Remove', call: 'boats.remove', confirm: 'Remove it?' }],
  [
    'a confirmation by typing',
    { label: 'Remove', call: 'boats.remove', confirm: 'Remove it?', typed: '{name}' },
  ],
  ['a form', { label: 'Sell', call: 'boats.sell', form: 'sell' }],
])('focus returns to the button that opened %s', async (_, action) => {
  fakeServer.use({ 'GET /boats/': boats(names) })
  await open(list(action), '/boats')
  const button = await view.findByRole('button', { name: `${action.label} Bob` })
  await user.click(button)
  await waitFor(() =>
    expect(document.activeElement?.closest('[role="dialog"], [role="alertdialog"]')).toBeTruthy(),
  )
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(button))
})

it('focus moves to the same button of the next row after a row is removed, or of the last row', async () => {
  let rows = names
  fakeServer.use({
    'GET /boats/': () => boats(rows),
    'DELETE /boat/8/': () => {
      rows = ['Ann', 'Cat']
      return { status: 204 }
    },
    'DELETE /boat/9/': () => {
      rows = ['Ann']
      return { status: 204 }
    },
  })
  const remove = { label: 'Remove', call: 'boats.remove', confirm: 'Remove it?' }
  await open(list({ label: 'Retire', call: 'boats.retire' }, remove), '/boats')
  for (const [name, next] of [
    ['Bob', 'Cat'],
    ['Cat', 'Ann'],
  ]) {
    await user.click(await view.findByRole('button', { name: `Remove ${name}` }))
    await user.click(await view.findByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(view.queryByRole('button', { name: `Remove ${name}` })).toBeNull())
    await waitFor(() => expect(focusedText()).toBe(`Remove ${next}`))
  }
})

it('focus moves to the heading after the only row is removed', async () => {
  let rows = ['Ann']
  fakeServer.use({
    'GET /boats/': () => boats(rows),
    'DELETE /boat/7/': () => {
      rows = []
      return { status: 204 }
    },
  })
  await open(list({ label: 'Remove', call: 'boats.remove' }), '/boats')
  await user.click(await view.findByRole('button', { name: 'Remove Ann' }))
  await waitFor(() => expect(view.queryByRole('button', { name: 'Remove Ann' })).toBeNull())
  await waitFor(() => expect(document.activeElement).not.toBe(document.body))
})

it('focus moves to the button that replaces another', async () => {
  let status = 1
  fakeServer.use({
    'GET /boats/': () => boats(['Ann'], status),
    'GET /boat/7/retire/': () => {
      status = 2
      return { data: { id: 7, status } }
    },
  })
  const retire = {
    label: 'Retire',
    call: 'boats.retire',
    confirm: 'Retire it?',
    when: { 'record.status': 1 },
  }
  const unretire = { label: 'Unretire', call: 'boats.unretire', when: { 'record.status': 2 } }
  await open(list(retire, unretire), '/boats')
  await user.click(await view.findByRole('button', { name: 'Retire Ann' }))
  await user.click(await view.findByRole('button', { name: 'Retire' }))
  await view.findByRole('button', { name: 'Unretire Ann' })
  await waitFor(() => expect(focusedText()).toBe('Unretire Ann'))
})

it('focus does not move after a click outside of all controls', async () => {
  let rows = names
  fakeServer.use({ 'GET /boats/': () => boats(rows) })
  const { client } = await open(list({ label: 'Remove', call: 'boats.remove' }), '/boats')
  const button = await view.findByRole('button', { name: 'Remove Bob' })
  button.focus()
  await user.click(document.body)
  rows = ['Ann', 'Cat']
  await client.invalidateQueries()
  await waitFor(() => expect(view.queryByRole('button', { name: 'Remove Bob' })).toBeNull())
  expect(document.activeElement).toBe(document.body)
})

it('focus moves to the neighbour of what is removed, not to what comes elsewhere beside it', async () => {
  function Boxes({ names }: { names: string[] }) {
    useFocusTracking()
    return names.map((name) => <input key={name} aria-label={name} />)
  }
  const { rerender } = render(<Boxes names={['a', 'b', 'c', 'd']} />)
  view.getByLabelText('b').focus()
  rerender(<Boxes names={['a', 'c', 'd', 'e']} />)
  await waitFor(() => expect(document.activeElement).toBe(view.getByLabelText('c')))
  rerender(<Boxes names={['a', 'f', 'd', 'e']} />)
  await waitFor(() => expect(document.activeElement).toBe(view.getByLabelText('f')))
})

it('focus stays where the user puts it while a dialog appears', async () => {
  render(
    <Dialog isOpen title="Boat">
      <input aria-label="Name" />
      <button type="button">Sell</button>
    </Dialog>,
  )
  const sell = await view.findByRole('button', { name: 'Sell' })
  sell.focus()
  await waitFor(() =>
    expect(document.querySelector('.bp6-overlay-enter-done, .bp6-overlay-appear-done')).toBeTruthy(),
  )
  expect(document.activeElement).toBe(sell)
})

function SavingForm() {
  useFocusTracking()
  const [state, setState] = useState<'edited' | 'saving' | 'asking'>('edited')
  return (
    <main>
      <h1>Boat</h1>
      <button type="button" disabled={state === 'saving'} onClick={() => setState('saving')}>
        Save
      </button>
      <a href="#next">Next</a>
      <output>{state}</output>
      <button type="button" onClick={() => setState('edited')}>
        Finish
      </button>
      <button type="button" onClick={() => setState('asking')}>
        Ask
      </button>
      <Dialog isOpen={state === 'asking'} title="Save this?" onClose={() => setState('edited')} />
    </main>
  )
}

/** Takes the focus away without an event, as a browser does from a disabled button; jsdom leaves it there. */
function loseFocus(): void {
  const silence = (event: Event) => event.stopImmediatePropagation()
  const types = ['focusout', 'focusin']
  for (const type of types) window.addEventListener(type, silence, true)
  document.body.tabIndex = -1
  document.body.focus()
  document.body.removeAttribute('tabindex')
  for (const type of types) window.removeEventListener(type, silence, true)
  // The page changes on meanwhile.
  document.body.append(document.createElement('i'))
}

/** Presses Save, which is disabled while it saves. */
async function pressSave(): Promise<HTMLElement> {
  const save = view.getByRole('button', { name: 'Save' })
  await user.click(save)
  loseFocus()
  await waitFor(() => expect(focusedText()).toBe('Boat'))
  return save
}

describe('the focus of a button that is disabled while it saves', () => {
  beforeEach(() => void render(<SavingForm />))

  it('returns to it once it can be pressed again', async () => {
    const save = await pressSave()
    fireEvent.click(view.getByRole('button', { name: 'Finish' }))
    await waitFor(() => expect(document.activeElement).toBe(save))
  })

  it('stays where the user has gone meanwhile', async () => {
    await pressSave()
    view.getByRole('link', { name: 'Next' }).focus()
    fireEvent.click(view.getByRole('button', { name: 'Finish' }))
    await waitFor(() => expect(view.getByText('edited')).toBeTruthy())
    expect(focusedText()).toBe('Next')
  })

  it('returns to it after the dialog that its press has opened', async () => {
    const save = await pressSave()
    fireEvent.click(view.getByRole('button', { name: 'Ask' }))
    await view.findByRole('dialog')
    await waitFor(() => expect(document.activeElement?.closest('[role="dialog"]')).toBeTruthy())
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(save))
  })
})
