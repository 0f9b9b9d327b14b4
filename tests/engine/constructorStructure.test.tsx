import { act, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  announced,
  draftSaves,
  fieldOf,
  HOSTILE,
  openConstructor,
  preview,
  row,
  rows,
  serveConstructor,
  settings,
} from './constructorContext.tsx'

beforeEach(serveConstructor)

const START = ['Referral', 'Urgent', 'Why urgent', 'Ward', 'Kind', 'Other', HOSTILE, 'Either']

describe('duplicating', () => {
  it('by its button copies a group with what its fields say of each other, in one step', async () => {
    const { user } = await openConstructor()
    await user.click(row('Referral'))
    await user.click(settings().getByRole('button', { name: 'Duplicate this group' }))
    expect(document.activeElement).toBe(settings().getByRole('heading', { name: 'Referral (copy)' }))
    expect(rows().slice(5, 10)).toEqual(['Referral (copy)', 'Urgent', 'Why urgent', 'Ward', 'Kind'])
    expect(announced()).toBe('Duplicated: Referral (copy), place 2 of 3')
    await waitFor(() => expect(preview().getAllByLabelText(/^Ward/)).toHaveLength(2))
    await waitFor(() => expect(draftSaves()).toHaveLength(1), { timeout: 5000 })
    expect(fieldOf(draftSaves()[0], 'why_urgent_2')?.attrs?.when).toEqual({ urgent: 'yes' })
    await user.keyboard('{Control>}z{/Control}')
    expect(rows()).toEqual(START)
  })

  it('by Ctrl+D in the tree copies a field and goes to the copy', async () => {
    const { user } = await openConstructor()
    act(() => row('Ward').focus())
    await user.keyboard('{Control>}d{/Control}')
    expect(rows().slice(0, 6)).toEqual(['Referral', 'Urgent', 'Why urgent', 'Ward', 'Ward (copy)', 'Kind'])
    expect(document.activeElement).toBe(row('Ward \\(copy\\)'))
    expect(announced()).toBe('Duplicated: Ward (copy), place 4 of 5 in Referral')
    expect(settings().getByText('ward_2')).toBeTruthy()
  })
})
