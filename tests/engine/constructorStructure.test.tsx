import { act, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  announced,
  draftSaves,
  fieldOf,
  HOSTILE,
  inUse,
  openConstructor,
  preview,
  row,
  rows,
  serveConstructor,
  settings,
  structure,
} from './constructorContext.tsx'

beforeEach(serveConstructor)

const START = ['Referral', 'Urgent', 'Why urgent', 'Ward', 'Kind', 'Other', HOSTILE, 'Either']

describe('the search of the tree', () => {
  const box = () => structure().getByRole('searchbox', { name: 'Find a group or field' })
  const count = () => structure().getByRole('status').textContent

  it('leaves what matches by label, name or choice, with what it stands in, and counts it', async () => {
    const { user } = await openConstructor()
    await user.type(box(), 'URGÉNT')
    expect(rows()).toEqual(['Referral', 'Urgent', 'Why urgent'])
    expect(count()).toBe('2 matches')
    await user.clear(box())
    await user.type(box(), 'why_urgent')
    expect(rows()).toEqual(['Referral', 'Why urgent'])
    expect(count()).toBe('1 match')
    await user.clear(box())
    await user.type(box(), 'ex')
    expect(rows()).toEqual(['Referral', 'Kind'])
    await user.clear(box())
    await user.type(box(), 'xyz')
    expect(rows()).toEqual([])
    expect(count()).toBe('Nothing matches')
  })

  it('shows all fields of a group that matches, and is left by Escape', async () => {
    const { user } = await openConstructor()
    await user.click(structure().getByRole('button', { name: 'Fields of Referral' }))
    await user.type(box(), 'referral')
    expect(rows()).toEqual(START.slice(0, 5))
    expect(structure().queryByRole('button', { name: /^Add/ })).toBeNull()
    await user.keyboard('{Escape}')
    expect(box()).toHaveProperty('value', '')
    expect(rows()).toEqual(['Referral', ...START.slice(5)])
    expect(count()).toBe('')
  })

  it('is walked by the arrow keys, and leaves the way back to its own text', async () => {
    const { user } = await openConstructor()
    await user.click(inUse('Ward'))
    await user.type(box(), 'wh')
    await user.keyboard('{Control>}z{/Control}')
    expect(inUse('Why urgent')).toBeTruthy()
    expect(announced()).toBe('Ward is switched off')
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    expect(settings().getByRole('heading', { level: 2 }).textContent).toBe('Why urgent')
    expect(rows()).toEqual(['Referral', 'Why urgent', 'Kind'])
  })
})

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
