import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import type { Group } from '../../src/contract/generated.ts'
import { openConstructor, row, serveConstructor, settings, stored } from './constructorContext.tsx'

const OPTIONS = [
  { value: 'dog', label: 'A dog' },
  { value: 'other', label: 'Other' },
]

const FORM: Group[] = [
  {
    name: 'home',
    label: 'Home',
    fields: [{ name: 'pets', label: 'Pets', type: 'multiselect', attrs: { is_on: true, options: OPTIONS } }],
  },
]

beforeEach(() => {
  serveConstructor()
  stored.type = { ...stored.type, case_meta: FORM }
})

async function openTable() {
  const { user } = await openConstructor()
  await user.click(row('Pets'))
  await user.click(settings().getByRole('button', { name: 'Edit as a table' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Choices of ‘Pets’' }))
  return { user, dialog }
}
const choices = () =>
  settings()
    .getAllByLabelText(/^Choice \d+$/)
    .map((box) => (box as HTMLInputElement).value)

it('applies choices that are typed, pasted, put in order and withdrawn, as one step to undo', async () => {
  const { user, dialog } = await openTable()
  await user.click(dialog.getByLabelText('Words of choice 2'))
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
  await user.click(dialog.getByLabelText('Words of choice 2'))
  await user.keyboard('{Enter}')
  await user.paste('A cat\nA fish\n')
  await user.click(dialog.getByLabelText('Offer A fish'))
  await user.click(dialog.getByLabelText('Other excludes all others'))
  await user.click(dialog.getByRole('button', { name: 'Apply' }))
  await waitFor(() => expect(choices()).toEqual(['Other', 'A dog', 'A cat', 'A fish']))
  expect(settings().getByText('No longer offered; records that have it still show it.')).toBeTruthy()
  expect(settings().getByText('Choices that exclude all others (1)')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /^Undo/ }))
  expect(choices()).toEqual(['A dog', 'Other'])
})

it('keeps what was typed until it is applied or discarded, and says what is wrong at its row', async () => {
  const { user, dialog } = await openTable()
  const box = dialog.getByLabelText('Words of choice 1')
  await user.clear(box)
  await user.click(dialog.getByRole('button', { name: 'Apply' }))
  expect(dialog.getByText('Give this choice words')).toBeTruthy()
  expect(document.activeElement).toBe(box)
  await user.keyboard('{Escape}')
  await user.click(dialog.getByRole('button', { name: 'Go on editing' }))
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await user.click(dialog.getByRole('button', { name: 'Discard the changes' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(choices()).toEqual(['A dog', 'Other'])
})
