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

describe('several at once', () => {
  const tick = (name: string) => structure().getByRole('checkbox', { name: `Choose ${name}` })
  const begin = async () => {
    const opened = await openConstructor()
    await opened.user.click(structure().getByRole('button', { name: 'Choose several' }))
    return opened
  }
  const act = (name: string) => settings().getByRole('button', { name })
  const heading = () => settings().getByRole('heading', { level: 2 }).textContent

  it('are ticked one by one or all between two, switched off in one step, and restored by one undo', async () => {
    const { user } = await begin()
    expect(heading()).toBe('0 chosen')
    expect(structure().queryByRole('button', { name: /^Add/ })).toBeNull()
    await user.click(tick('Urgent'))
    await user.keyboard('{Shift>}')
    await user.click(tick('Kind'))
    await user.keyboard('{/Shift}')
    expect(heading()).toBe('4 chosen')
    await user.click(row('Ward'))
    expect(heading()).toBe('3 chosen')
    await user.click(act('Switch off'))
    expect(announced()).toBe('Switched off: 3')
    await waitFor(() => expect(draftSaves()).toHaveLength(1))
    const offIn = (at: number) =>
      ['is_urgent', 'why_urgent', 'ward', 'kind'].map((name) => fieldOf(draftSaves()[at], name)?.attrs?.is_on)
    expect(offIn(0).map((on) => on === false)).toEqual([true, true, false, true])
    await user.click(structure().getByRole('button', { name: 'Choose several' }))
    await user.keyboard('{Control>}z{/Control}')
    expect(['Urgent', 'Ward', 'Kind'].map((name) => (inUse(name) as HTMLInputElement).checked)).toEqual([
      true,
      true,
      true,
    ])
  })

  it('are moved to the end of another group, and stay ticked there', async () => {
    const { user } = await begin()
    await user.click(tick('Ward'))
    await user.click(tick('Urgent'))
    await user.selectOptions(settings().getByLabelText('Move to the end of'), 'Other')
    expect(rows()).toEqual(['Referral', 'Why urgent', 'Kind', 'Other', HOSTILE, 'Either', 'Urgent', 'Ward'])
    expect([heading(), tick('Ward')]).toEqual(['2 chosen', expect.objectContaining({ checked: true })])
    expect(announced()).toBe('2 moved to the end of Other')
  })

  it('are made required, duplicated and removed, without what stands in a group that goes with it', async () => {
    const { user } = await begin()
    await user.click(tick('Ward'))
    await user.click(tick('Kind'))
    await user.click(act('Make required'))
    expect(row('Kind').textContent).toContain('required')
    await user.click(act('Duplicate these'))
    expect(rows().slice(0, 7)).toEqual([
      'Referral',
      'Urgent',
      'Why urgent',
      'Ward',
      'Kind',
      'Ward (copy)',
      'Kind (copy)',
    ])
    expect(heading()).toBe('2 chosen')
    await user.click(act('Remove these'))
    expect(rows()).toEqual(START)
    expect(heading()).toBe('0 chosen')
    await user.click(tick('Other'))
    await user.click(tick('Either'))
    await user.click(act('Remove these'))
    expect(rows()).toEqual(START.slice(0, 5))
  })

  it('of which some are answered are not removed, and it says why', async () => {
    const { user } = await begin()
    await user.click(tick('Urgent'))
    await user.click(tick('Either'))
    expect(act('Remove these').getAttribute('aria-disabled')).toBe('true')
    await user.click(act('Remove these'))
    expect(rows()).toEqual(START)
    expect(settings().getByText(/'Urgent' is answered in/)).toBeTruthy()
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
    await waitFor(() => expect(draftSaves()).toHaveLength(1))
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
