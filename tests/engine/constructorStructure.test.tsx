import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { applyVersionEvents } from '../../src/engine/core/versionEvents.ts'
import { contract } from '../loadedContract.ts'
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
import { fakeServer, page } from './fakeServer.ts'
import { open, person } from './open.tsx'

beforeEach(serveConstructor)

describe('comments on a field', () => {
  const COUNTS = 'GET /api/case_types/7/field_comments/counts'

  it('are a number at its row, and lead to its page and to all of them', async () => {
    let counts = { open: 3, case: { ward: 2, kind: 1 }, issue: { aim: 1 } }
    fakeServer.use({ [COUNTS]: () => ({ data: counts }) })
    const { user, client } = await openConstructor()
    await waitFor(() => expect(row('Ward').textContent).toContain('2 comments'))
    expect(row('Kind').textContent).toContain('1 comment')
    expect(row('Urgent').textContent).not.toContain('comment')
    await user.click(row('Ward'))
    const link = settings().getByRole('link', { name: 'Answers, uses, versions and 2 open comments' })
    expect(link.getAttribute('href')).toBe('/dashboard/module-constructor/7/fields/case/ward')
    const all = screen.getByRole('link', { name: '3 open comments' })
    expect(all.getAttribute('href')).toBe('/dashboard/module-constructor/7/comments')
    // A colleague resolves them.
    const emit = (version: number) =>
      act(async () => applyVersionEvents(contract, client, [{ entity: 'fieldComment', id: 0, version }]))
    await emit(1)
    counts = { open: 1, case: { kind: 1 }, issue: {} } as typeof counts
    await emit(2)
    await waitFor(() => expect(row('Ward').textContent).not.toContain('comment'))
  })

  it('lead back to the field in the constructor', async () => {
    await openConstructor('#case.either')
    await waitFor(() => expect(row('Either').getAttribute('aria-current')).toBe('true'))
    expect(settings().getByRole('heading', { name: 'Either' })).toBeTruthy()
  })

  it('stand on its page, where they are written and resolved', async () => {
    const at = '/api/case_types/7/fields/case/ward'
    const comment = { id: 5, state: 'open', created_by_name: 'Ben Lee', text: 'Which ward?' }
    fakeServer.use({
      [`GET ${at}`]: {
        data: {
          label: 'Ward',
          case_type_label: 'Advocacy',
          form: 'case',
          name: 'ward',
          state: 'used',
          answered: '25%: 1 of 4 cases',
          rows: null,
        },
      },
      [`GET ${at}/uses`]: {
        data: { rows: [{ id: 1, kind: 'shown', words: 'Bed', form: 'case', page: '/bed' }] },
      },
      [`GET ${at}/choices`]: { data: { rows: [] } },
      [`GET ${at}/history`]: {
        data: { rows: [{ id: 1, version: 2, words: ['Removed from the form'], by: 'Ann Lee', at: null }] },
      },
      [`GET ${at}/comments`]: page([comment]),
      [`POST ${at}/comments`]: { status: 201, data: comment },
      'POST /api/field_comments/5/resolve': { data: { ...comment, state: 'resolved' } },
    })
    const names = ['form-field', 'field-comments', 'field-uses', 'field-choices', 'field-history']
    const screens = Object.fromEntries(names.map((name) => [name, contract.screens[name]]))
    await open(screens, '/dashboard/module-constructor/7/fields/case/ward', { contract, person: person([1]) })
    const user = userEvent.setup()
    expect(await screen.findByText('25%: 1 of 4 cases')).toBeTruthy()
    expect(screen.queryByText('Answered in rows')).toBeNull()
    expect((await screen.findByRole('link', { name: 'Bed' })).getAttribute('href')).toBe('/bed')
    await screen.findByText('Removed from the form')
    await user.click(await screen.findByRole('button', { name: 'Comment' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByLabelText(/^Comment/), 'The one that they sleep in')
    await user.click(dialog.getByRole('button', { name: 'Comment' }))
    await waitFor(() => expect(fakeServer.requestsTo(`POST ${at}/comments`)).toHaveLength(1))
    expect(fakeServer.requestsTo(`POST ${at}/comments`)[0].body).toEqual({
      text: 'The one that they sleep in',
    })
    await user.click(await screen.findByRole('button', { name: /^Resolve/ }))
    await waitFor(() => expect(fakeServer.requestsTo('POST /api/field_comments/5/resolve')).toHaveLength(1))
  })
})

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
