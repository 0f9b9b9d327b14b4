import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Values } from '../../src/contract/when.ts'
import { showUnasked } from '../../src/engine/form/store/unasked.ts'
import { field, openForm, section } from './openForm.tsx'

const FIELDS = [
  field('urgent', 'yesno'),
  field('ward', 'text', { required_when: { urgent: 'yes' } }),
  field('score', 'integer', { hidden: true, default: 7 }),
  field('plan', 'text', { required_when: { score: { min: 5 } } }),
  field('received', 'date'),
  field('due', 'date', { calc: 'add_working_days', of: ['received', 10] }),
  field('bed', 'text', { when: { ward: { set: true } } }),
  field('room', 'text', { when: { score: { max: 3 } } }),
  field('end', 'date', {
    checks: [
      { when: { end: { max: { path: 'received' }, not: { path: 'received' } } }, message: 'Too early' },
    ],
  }),
  field(
    'stays',
    'repeat',
    {},
    { fields: [field('where', 'text'), field('since', 'text', { required_when: { where: { set: true } } })] },
  ),
]
afterEach(() => showUnasked(false))

const why = (about: string) => screen.queryByRole('button', { name: `Why? ${about}` })

describe('a form that explains itself', () => {
  const openExplained = (answers: Values = {}) => {
    const user = userEvent.setup()
    return { user, ...openForm(section(FIELDS, { explains: true, at: 'a' }), { a: answers }) }
  }
  const press = async (user: ReturnType<typeof userEvent.setup>, about: string) => {
    await user.click(why(about)!)
    const panel = await screen.findByRole('group', { name: `Why? ${about}` })
    return [...panel.children].map(({ textContent }) => textContent)
  }
  beforeAll(() => import('../../src/engine/form/widgets/WhyPanel.tsx').then(() => undefined))

  it('says of a field that a condition requires which one', async () => {
    const { user } = openExplained()
    expect(why('Ward')).toBeNull()
    await user.click(screen.getAllByLabelText('Yes')[0])
    expect(await press(user, 'Ward')).toEqual(["'Ward' must be answered because 'Urgent' is Yes."])
  })

  it('says what a field is calculated from', async () => {
    const { user } = openExplained({ received: '2026-06-04' })
    expect(await press(user, 'Due')).toEqual([
      "'Due' is calculated: 10 working days after 'Received'; 'Received' is now 4 June 2026.",
    ])
  })

  it('says why a check refuses an answer, once it does', async () => {
    const { user, submit } = openExplained({ received: '2026-06-04', end: '2026-06-01' })
    expect(why('End')).toBeNull()
    submit()
    expect(await press(user, 'End')).toEqual([
      "'End' is refused because 'End' is before 'Received'; 'End' is now 1 June 2026, 'Received' is now 4 June 2026.",
    ])
  })

  it('on request says which questions are not asked, and nothing of the answers of hidden fields', async () => {
    const { user } = openExplained({ score: 7 })
    expect(await press(user, 'Plan')).toEqual([
      "'Plan' must be answered because an answer that is not shown here calls for it.",
    ])
    expect(screen.queryByText(/not asked/)).toBeNull()
    act(() => showUnasked(true))
    expect(screen.getByText(/2 questions are not asked/)).toBeTruthy()
    expect(await press(user, 'Group: questions not asked')).toEqual([
      "'Bed' is shown only when 'Ward' has a value; 'Ward' has no answer.",
      "'Room' is shown only when an answer that is not shown here calls for it.",
    ])
  })

  it('looks in the row of a column', async () => {
    const { user } = openExplained({ stays: [{ row: 'x', where: 'Here' }] })
    expect(await press(user, 'Since')).toEqual(["'Since' must be answered because 'Where' has a value."])
  })

  it('closes by Escape, by leaving it and by pressing again, by the keyboard alone', async () => {
    const { user } = openExplained({ urgent: 'yes' })
    const button = why('Ward')!
    button.focus()
    await user.keyboard('{Enter}')
    expect(await screen.findByRole('group', { name: 'Why? Ward' })).toBeTruthy()
    expect(button.getAttribute('aria-expanded')).toBe('true')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('group', { name: 'Why? Ward' })).toBeNull()
    expect(document.activeElement).toBe(button)
    await user.keyboard('{Enter}')
    await user.tab()
    expect(button.getAttribute('aria-expanded')).toBe('false')
  })
})

describe('a form that does not explain itself', () => {
  it('has no such button', () => {
    const { container } = openForm(section(FIELDS), { urgent: 'yes' })
    expect(within(container).queryByRole('button', { name: /^Why/ })).toBeNull()
    expect(screen.queryByText(/not asked/)).toBeNull()
  })
})
