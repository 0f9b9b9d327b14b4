import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Group } from '../../src/contract/generated.ts'
import {
  announced,
  openConstructor,
  preview,
  row,
  rows,
  serveConstructor,
  settings,
  stored,
} from './constructorContext.tsx'
import { field, openForm, section } from './openForm.tsx'

const OPTIONS = [
  { value: 'dog', label: 'A dog' },
  { value: 'other', label: 'Other' },
  { value: 'none', label: 'None of these', exclusive: true as const },
]

describe('a choice that excludes all others', () => {
  it('takes their place, and makes place for the next one', async () => {
    const user = userEvent.setup()
    const { values } = openForm(section([field('pets', 'multiselect', { options: OPTIONS })]), {
      pets: ['dog'],
    })
    const tick = (label: string) => user.click(screen.getByLabelText(label))
    await tick('Other')
    expect(values().pets).toEqual(['dog', 'other'])
    await tick('None of these')
    expect(values().pets).toEqual(['none'])
    await tick('A dog')
    expect(values().pets).toEqual(['dog'])
  })

  it('is marked in the constructor, of several choices only', async () => {
    serveConstructor()
    stored.type = { ...stored.type, case_meta: groupWith('multiselect') }
    const { user } = await openConstructor()
    await user.click(row('Pets'))
    await user.click(settings().getByText('Choices that exclude all others (1)'))
    const group = within(settings().getByRole('group', { name: 'Choices that exclude all others' }))
    await user.click(group.getByLabelText('None of these'))
    await user.click(group.getByLabelText('Other'))
    await user.click(preview().getByLabelText('A dog'))
    await user.click(preview().getByLabelText('Other'))
    await waitFor(() => expect((preview().getByLabelText('A dog') as HTMLInputElement).checked).toBe(false))
  })
})

describe('a question about a choice', () => {
  beforeEach(serveConstructor)

  it('is added right below the field, asked and required where the choice is chosen', async () => {
    stored.type = { ...stored.type, case_meta: groupWith('select') }
    const { user } = await openConstructor()
    await user.click(row('Pets'))
    expect(settings().queryByText(/exclude all others/)).toBeNull()
    await user.selectOptions(settings().getByLabelText('Ask for more where this is chosen'), 'Other')
    await user.click(settings().getByRole('button', { name: 'Add question' }))
    expect(announced()).toBe('Added: a question where Other is chosen')
    expect((settings().getByLabelText(/^Label/) as HTMLInputElement).value).toBe('Other, please say')
    expect(preview().queryByLabelText(/please say/)).toBeNull()
    await user.selectOptions(preview().getByLabelText(/^Pets/), 'Other')
    await waitFor(() => expect(preview().getByLabelText('Other, please say')).toBeTruthy())
    expect(rows()).toEqual(['Home', 'Pets', 'Other, please say', 'Name'])
  })
})

function groupWith(type: 'select' | 'multiselect'): Group[] {
  const options = type === 'select' ? OPTIONS.map(({ exclusive: _, ...option }) => option) : OPTIONS
  return [{ name: 'home', label: 'Home', fields: [field('pets', type, { options }), field('name', 'text')] }]
}
