import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { withFollowUps } from '../../src/engine/form/store/followUps.ts'
import { field, openForm, section } from './openForm.tsx'

const OPTIONS = [
  { value: 'dog', label: 'A dog' },
  { value: 'other', label: 'Other' },
  { value: 'none', label: 'None of these' },
]
const pets = (type: 'select' | 'multiselect') => field('pets', type, { options: OPTIONS, required: true })
const say = field('say', 'text', { when: { pets: 'other' } })
const name = field('name', 'text')

/** What can be focused, in its order, by its accessible name. */
const order = () => [...document.querySelectorAll<HTMLInputElement>('input, select')].map(labelOf)
const labelOf = (control: Element | null) =>
  (control as HTMLInputElement | null)?.labels?.[0].textContent?.replace(' (optional)', '')

describe('a question that a choice brings up', () => {
  it('stands below its check box and is reached right after it', async () => {
    const user = userEvent.setup()
    openForm(section([pets('multiselect'), say, name]))
    expect(order()).toEqual(['A dog', 'Other', 'None of these', 'Name'])
    await user.click(screen.getByLabelText('Other'))
    await waitFor(() => expect(order()).toEqual(['A dog', 'Other', 'Say', 'None of these', 'Name']))
    await user.tab()
    expect(labelOf(document.activeElement)).toBe('Say')
    await user.keyboard('a cat')
    await user.tab()
    expect(labelOf(document.activeElement)).toBe('None of these')
    await user.click(screen.getByLabelText('A dog'))
    expect((screen.getByLabelText(/^Say/) as HTMLInputElement).value).toBe('a cat')
  })

  it('is another field than the list that it stands in: who goes there has left the list', async () => {
    const user = userEvent.setup()
    // A hidden choice cannot bring up a question, so the list is left wrong by what it excludes.
    const urgent = field('urgent', 'multiselect', {
      options: OPTIONS,
      checks: [{ when: { urgent: 'dog' }, message: 'No dogs here' }],
    })
    openForm(section([urgent, field('say', 'text', { when: { urgent: 'other' } })]))
    await user.click(screen.getByLabelText('A dog'))
    await user.click(screen.getByLabelText('Other'))
    await user.tab()
    expect(labelOf(document.activeElement)).toBe('Say')
    expect(await screen.findByText('No dogs here')).toBeDefined()
  })

  it('stands below a list that opens, and below radio buttons that stand in a row, outside of their set', async () => {
    const user = userEvent.setup()
    const why = field('why', 'text', { when: { urgent: 'yes' } })
    openForm(section([pets('select'), say, field('urgent', 'yesno'), why, name]))
    await user.selectOptions(screen.getByLabelText(/^Pets/), 'Other')
    await user.click(screen.getByLabelText('Yes'))
    await waitFor(() => expect(order()).toEqual(['Pets', 'Say', 'Yes', 'No', 'Not known', 'Why', 'Name']))
    const below = [...document.querySelectorAll<HTMLElement>('.follow-ups')]
    expect(below.map((one) => labelOf(one.querySelector('input')))).toEqual(['Say', 'Why'])
    expect(within(screen.getByRole('radiogroup')).queryByLabelText(/^Why/)).toBeNull()
  })

  it('stands below a long list, where its check box may be scrolled out of sight', async () => {
    const options = Array.from({ length: 20 }, (_, i) => ({ value: `v${i}`, label: `Choice ${i + 1}` }))
    const user = userEvent.setup()
    openForm(
      section([field('pets', 'multiselect', { options }), field('say', 'text', { when: { pets: 'v0' } })]),
    )
    await user.click(screen.getByLabelText('Choice 1'))
    const asked = await screen.findByLabelText(/^Say/)
    expect(asked.closest('.choices-long')).toBeNull()
    await user.type(screen.getByRole('searchbox'), 'Choice 2')
    expect(screen.getByLabelText(/^Say/)).toBe(asked)
  })
})

describe('which fields follow a choice', () => {
  const tree = (fields: Parameters<typeof withFollowUps>[0]) => {
    const words = (nodes: ReturnType<typeof withFollowUps>): unknown[] =>
      nodes.map(({ field, followUps }) =>
        followUps.length > 0 ? [field.name, words(followUps.map(({ node }) => node))] : field.name,
      )
    return words(withFollowUps(fields))
  }

  it('several in a row do, and those of a follow-up', () => {
    const kind = field('kind', 'yesno', { when: { pets: 'other' } })
    const kindly = field('kindly', 'text', { when: { kind: ['no'] } })
    const dog = field('dog', 'text', { when: { pets: 'dog' } })
    expect(tree([pets('multiselect'), say, kind, kindly, dog, name])).toEqual([
      ['pets', ['say', ['kind', ['kindly']], 'dog']],
      'name',
    ])
  })

  it('none does that stands elsewhere, or is there for more than one choice', () => {
    const apart = [pets('select'), name, say]
    expect(tree(apart)).toEqual(['pets', 'name', 'say'])
    const tests = [['other', 'dog'], { not: 'other' }, { set: true }]
    for (const test of tests) {
      expect(tree([pets('select'), field('say', 'text', { when: { pets: test } })])).toEqual(['pets', 'say'])
    }
    const both = field('say', 'text', { when: { pets: 'other', name: 'Ann' } })
    expect(tree([pets('select'), both])).toEqual(['pets', 'say'])
    const shown = { ...pets('select'), attrs: { ...pets('select').attrs, read_only: true as const } }
    expect(tree([shown, say])).toEqual(['pets', 'say'])
  })
})
