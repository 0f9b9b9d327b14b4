import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Group } from '../../src/contract/generated.ts'
import { openConstructor, preview, row, serveConstructor, settings, stored } from './constructorContext.tsx'
import { field, openForm } from './openForm.tsx'

const OPTIONS = [
  { value: 'no', label: 'Never', weight: 0 },
  { value: 'some', label: 'Sometimes', weight: 1 },
  { value: 'yes', label: 'Always', weight: 2 },
  { value: 'old', label: 'Rarely', active: false },
]
const statement = (name: string, attrs = {}) => field(name, 'select', { options: OPTIONS, ...attrs })
const GROUP: Group = {
  name: 'said',
  label: 'What they said',
  attrs: { layout: 'matrix' },
  fields: [statement('heard', { required: true, help: 'By anybody' }), statement('safe')],
}
const score = field('score', 'integer', { calc: 'score', of: ['heard', 'safe'] })
const sections = (group = GROUP) => [
  { key: 's', at: '', groups: [group, { name: 'rest', label: 'Rest', fields: [score] }] },
]
const rowOf = (name: RegExp) => within(screen.getByRole('radiogroup', { name }))

describe('a table of questions with the same choices', () => {
  it('has a radio group a row, below the choices, and stores as other questions do', async () => {
    const { values } = openForm(sections())
    const heads = [...document.querySelectorAll('.matrix-head span')].map((one) => one.textContent)
    expect(heads).toEqual(['', 'Never', 'Sometimes', 'Always'])
    expect(rowOf(/Heard/).getAllByRole('radio')).toHaveLength(3)
    await userEvent.click(rowOf(/Heard/).getByRole('radio', { name: 'Always' }))
    await userEvent.click(rowOf(/Safe/).getByRole('radio', { name: 'Sometimes' }))
    expect(values()).toEqual({ heard: 'yes', safe: 'some' })
    expect(document.getElementById('f.score')!.textContent).toContain('3')
    await userEvent.click(screen.getByRole('button', { name: 'Clear Safe' }))
    expect(values().safe).toBeUndefined()
    expect(screen.queryByRole('button', { name: 'Clear Heard' })).toBeNull()
  })

  it('says at the row what is wrong with it, and leads there', async () => {
    const { submit } = openForm(sections())
    expect(submit()).toEqual({ heard: ['Choose heard'] })
    const set = screen.getByRole('radiogroup', { name: /Heard/ })
    expect(set.getAttribute('aria-invalid')).toBe('true')
    expect(set.getAttribute('aria-describedby')).toBe('f.heard-hint f.heard-error')
    await userEvent.click(screen.getByRole('link', { name: 'Choose heard' }))
    expect(document.activeElement).toBe(rowOf(/Heard/).getByRole('radio', { name: 'Never' }))
  })

  it('keeps a retired choice that a row is answered by, in this row only', () => {
    openForm(sections(), { safe: 'old' })
    expect(rowOf(/Safe/).getByRole<HTMLInputElement>('radio', { name: 'Rarely' }).checked).toBe(true)
    expect(rowOf(/Heard/).queryByRole('radio', { name: 'Rarely' })).toBeNull()
    expect(document.querySelectorAll('.matrix-head span')).toHaveLength(5)
  })

  it('hides a row by its condition, and is a list while the choices differ', () => {
    const [heard, safe] = GROUP.fields
    const conditional = { ...safe, attrs: { ...safe.attrs, when: { heard: 'no' } } }
    const { unmount } = openForm(sections({ ...GROUP, fields: [heard, conditional] }))
    expect(screen.getAllByRole('radiogroup')).toHaveLength(1)
    unmount()
    const other = statement('safe', { options: OPTIONS.slice(1) })
    openForm(sections({ ...GROUP, fields: [heard, other] }))
    expect(screen.queryByRole('radiogroup')).toBeNull()
    expect(screen.getAllByRole('combobox')).toHaveLength(2)
  })
})

describe('in the constructor', () => {
  beforeEach(serveConstructor)

  it('a group becomes a table, and a change of its choices is one of all its rows', async () => {
    stored.type = { ...stored.type, case_meta: [{ ...GROUP, attrs: {} }] }
    const { user } = await openConstructor()
    await user.click(row('What they said'))
    expect(preview().queryByRole('radiogroup')).toBeNull()
    await user.selectOptions(
      settings().getByLabelText('How its questions are shown'),
      'As a table, a row for each question',
    )
    expect(await preview().findAllByRole('radiogroup')).toHaveLength(2)
    await user.click(row('Safe'))
    await user.type(settings().getByDisplayValue('Always'), ' or often')
    expect(await preview().findAllByRole('radio', { name: 'Always or often' })).toHaveLength(2)
  })
})
