import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Field } from '../../src/contract/generated.ts'
import {
  announced,
  draftSaves,
  openConstructor,
  row,
  rows,
  serveConstructor,
  settings,
  stored,
} from './constructorContext.tsx'
import { fakeServer } from './fakeServer.ts'

type User = Awaited<ReturnType<typeof openConstructor>>['user']

beforeEach(serveConstructor)

const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const savedFields = () =>
  (draftSaves().at(-1)!.body.case_meta as { fields: Field[] }[]).flatMap(({ fields }) => fields)

describe('find and replace', () => {
  const open = async (user: User) => {
    await user.keyboard('{Control>}{Shift>}f{/Shift}{/Control}')
    return dialog('Find and replace')
  }
  const ticks = (found: Awaited<ReturnType<typeof dialog>>) =>
    found
      .getAllByRole<HTMLInputElement>('checkbox', { name: / › / })
      .map((one) => one.labels?.[0].textContent)

  it('lists every text with what it becomes, and replaces the ticked ones as one step', async () => {
    const { user } = await openConstructor()
    const found = await open(user)
    await user.type(found.getByLabelText('Find'), 'urgent')
    await user.type(found.getByLabelText('Replace with'), 'pressing')
    await found.findByText('Found in 2 texts')
    expect(ticks(found)).toEqual([
      'Case form › Referral › Urgent › Label',
      'Case form › Referral › Why urgent › Label',
    ])
    await waitFor(() =>
      expect(found.getAllByRole('listitem')[0].textContent).toContain('Now: UrgentThen: Pressing'),
    )
    await user.click(found.getByRole('checkbox', { name: 'Match case' }))
    await found.findByText('Found in 1 text')
    await user.click(found.getByRole('checkbox', { name: 'Match case' }))
    await user.click(found.getByRole('checkbox', { name: 'Case form › Referral › Urgent › Label' }))
    expect(found.getByText('Found in 2 texts, 1 ticked')).toBeTruthy()
    await user.click(found.getByRole('button', { name: 'Replace in 1 text' }))
    expect(rows().slice(1, 3)).toEqual(['Urgent', 'Why pressing'])
    expect(announced()).toBe('“urgent” was replaced by “pressing” in 1 text')
    await waitFor(() => expect(savedFields()[1]).toMatchObject({ name: 'why_urgent', label: 'Why pressing' }))
    await user.click(screen.getByRole('button', { name: 'Undo the replacement' }))
    expect(rows().slice(1, 3)).toEqual(['Urgent', 'Why urgent'])
  })

  it('goes to the field of a text, and does not replace one by nothing', async () => {
    const { user } = await openConstructor()
    const found = await open(user)
    await user.type(found.getByLabelText('Find'), 'aim')
    await found.findByText('Nothing would be left of it')
    expect(found.getByRole('button', { name: 'Replace' })).toHaveProperty('disabled', true)
    await user.click(found.getByRole('button', { name: 'Go there: Issue form › Work › Aim › Label' }))
    expect(screen.getByRole('tab', { name: 'Issue form' }).getAttribute('aria-selected')).toBe('true')
    expect(settings().getByLabelText<HTMLInputElement>('Label').value).toBe('Aim')
  })
})

describe('fields of another case type', () => {
  const OTHER = {
    ...stored.type,
    id: 2,
    label: 'Other work',
    case_meta: [
      {
        name: 'stay',
        label: 'Stay',
        fields: [
          { name: 'ward', label: 'Ward name', type: 'text', attrs: {} },
          { name: 'bed', label: 'Bed', type: 'text', attrs: { when: { ward: { set: true } } } },
          { name: 'cost', label: 'Cost', type: 'integer', attrs: { calc: 'add', of: ['nights', 1] } },
          { name: 'nights', label: 'Nights', type: 'integer', attrs: {} },
        ],
      },
      { name: 'end', label: 'End', fields: [{ name: 'left', label: 'Left on', type: 'date', attrs: {} }] },
    ],
  }
  const open = async (user: User) => {
    fakeServer.use({ 'GET /case_type/2/': { data: OTHER } })
    await user.click(screen.getByRole('button', { name: 'Copy fields…' }))
    const copying = await dialog('Copy fields into the case form')
    await waitFor(() =>
      expect(copying.getByLabelText<HTMLSelectElement>('From the case type').options.length).toBeGreaterThan(
        2,
      ),
    )
    await user.selectOptions(copying.getByLabelText('From the case type'), '2')
    await copying.findByRole('group', { name: 'Stay' })
    return copying
  }

  it('are ticked one by one or by group, with what they refer to, and copied as one step', async () => {
    const { user } = await openConstructor()
    const copying = await open(user)
    expect(copying.queryByRole('checkbox', { name: /^Bed/ })).toBeNull()
    await user.click(copying.getByRole('button', { name: 'Fields of Stay' }))
    await user.click(copying.getByRole('checkbox', { name: /^Bed/ }))
    await user.click(copying.getByRole('checkbox', { name: /^Cost/ }))
    const refers = within(copying.getByRole('region', { name: 'They refer to' }))
    expect(refers.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
      "Ward name for 'Bed'; 'Ward' of this form stands for itTake along",
      "Nights for 'Cost'; without it they cannot be publishedTake along",
    ])
    await user.click(refers.getByRole('button', { name: 'Take it along' }))
    await user.click(copying.getByRole('button', { name: 'Take along Ward name' }))
    expect(copying.queryByRole('region', { name: 'They refer to' })).toBeNull()
    expect(copying.getByRole('checkbox', { name: 'Stay 4 of 4 fields' })).toHaveProperty('checked', true)
    await user.click(copying.getByRole('button', { name: 'Copy 4 fields' }))
    expect(announced()).toBe('4 fields copied from Other work into the case form')
    expect(rows().slice(-5)).toEqual(['Stay', 'Ward name', 'Bed', 'Cost', 'Nights'])
    await waitFor(() => expect(savedFields().map(({ name }) => name)).toContain('ward_2'))
    expect(savedFields().find(({ name }) => name === 'bed')?.attrs?.when).toEqual({ ward_2: { set: true } })
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(rows()).not.toContain('Ward name')
  })

  it('are found by their labels, and put into a group of the form', async () => {
    const { user } = await openConstructor()
    const copying = await open(user)
    await user.type(copying.getByLabelText('Find a field to copy'), 'left')
    await copying.findByText('1 field found')
    await user.click(copying.getByRole('checkbox', { name: /^Left on/ }))
    await user.selectOptions(copying.getByLabelText('Where they go'), 'Into Other')
    await user.click(copying.getByRole('button', { name: 'Copy 1 field' }))
    expect(rows().at(-1)).toBe('Left on')
    expect(row('Left on')).toBeTruthy()
  })
})
