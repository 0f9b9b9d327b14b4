// @vitest-environment jsdom
import { cleanup, screen as view, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { open, page, serve } from './context.tsx'

afterEach(cleanup)

const person = userEvent.setup()
const names = ['Ann', 'Bob', 'Cat']
const boats = (rows: string[], status = 1) =>
  page(rows.map((name) => ({ id: names.indexOf(name) + 7, name, status })))
const list = (...actions: object[]) => ({
  boats: { route: '/boats', kind: 'list', title: 'Boats', source: 'boats.list', columns: ['name'], actions },
})
const focusedText = () => document.activeElement?.textContent ?? document.activeElement?.tagName

it.each([
  ['a question', { label: 'Remove', call: 'boats.remove', confirm: 'Remove it?' }],
  [
    'a question with a text to type',
    { label: 'Remove', call: 'boats.remove', confirm: 'Remove it?', typed: '{name}' },
  ],
  ['a form', { label: 'Sell', call: 'boats.sell', form: 'sell' }],
])('returns to the button that opened %s when it is closed', async (_, action) => {
  serve({ 'GET /boats/': () => ({ data: boats(names) }) })
  open(list(action), '/boats')
  const button = await view.findByRole('button', { name: `${action.label} Bob` })
  await person.click(button)
  await waitFor(() =>
    expect(document.activeElement?.closest('[role="dialog"], [role="alertdialog"]')).toBeTruthy(),
  )
  await person.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(button))
})

it('goes to the same button of the next row after a row is removed, of the last row after the last', async () => {
  let rows = names
  serve({
    'GET /boats/': () => ({ data: boats(rows) }),
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
  open(list({ label: 'Retire', call: 'boats.retire' }, remove), '/boats')
  for (const [name, next] of [
    ['Bob', 'Cat'],
    ['Cat', 'Ann'],
  ]) {
    await person.click(await view.findByRole('button', { name: `Remove ${name}` }))
    await person.click(await view.findByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(view.queryByRole('button', { name: `Remove ${name}` })).toBeNull())
    await waitFor(() => expect(focusedText()).toBe(`Remove ${next}`))
  }
})

it('goes to the heading after the only row is removed', async () => {
  let rows = ['Ann']
  serve({
    'GET /boats/': () => ({ data: boats(rows) }),
    'DELETE /boat/7/': () => {
      rows = []
      return { status: 204 }
    },
  })
  open(list({ label: 'Remove', call: 'boats.remove' }), '/boats')
  await person.click(await view.findByRole('button', { name: 'Remove Ann' }))
  await waitFor(() => expect(view.queryByRole('button', { name: 'Remove Ann' })).toBeNull())
  await waitFor(() => expect(document.activeElement).not.toBe(document.body))
})

it('goes to the button that takes the place of another', async () => {
  let status = 1
  serve({
    'GET /boats/': () => ({ data: boats(['Ann'], status) }),
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
  open(list(retire, unretire), '/boats')
  await person.click(await view.findByRole('button', { name: 'Retire Ann' }))
  await person.click(await view.findByRole('button', { name: 'Retire' }))
  await view.findByRole('button', { name: 'Unretire Ann' })
  await waitFor(() => expect(focusedText()).toBe('Unretire Ann'))
})

it('stays away after a click beside everything', async () => {
  let rows = names
  serve({ 'GET /boats/': () => ({ data: boats(rows) }) })
  const { client } = open(list({ label: 'Remove', call: 'boats.remove' }), '/boats')
  const button = await view.findByRole('button', { name: 'Remove Bob' })
  button.focus()
  await person.click(document.body)
  rows = ['Ann', 'Cat']
  await client.invalidateQueries()
  await waitFor(() => expect(view.queryByRole('button', { name: 'Remove Bob' })).toBeNull())
  expect(document.activeElement).toBe(document.body)
})
