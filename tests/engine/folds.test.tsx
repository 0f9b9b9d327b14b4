import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FormSection } from '../../src/engine/form/FormView.tsx'
import { field, openForm } from './openForm.tsx'

/** A form of groups with one required question each; the last one is there only while the first answer is 'more'. */
function long(count: number): FormSection[] {
  const groups = Array.from({ length: count }, (_, i) => ({
    name: `g${i}`,
    label: `Group ${i}`,
    fields: [field(`f${i}`, 'text', { required: true })],
    ...(i === count - 1 && { attrs: { when: { f0: 'more' } } }),
  }))
  return [{ key: 's', at: '', groups }]
}

describe('a form of many groups', () => {
  beforeEach(() => sessionStorage.clear())
  const openLong = (count = 8, folds?: string) => ({
    user: userEvent.setup(),
    ...openForm(long(count), {}, { folds }),
  })
  const heads = () => within(screen.getByRole('navigation', { name: 'On this page' }))
  const fold = (name: string) => screen.getByRole('button', { name })
  const isOpen = (name: string) => fold(name).getAttribute('aria-expanded') === 'true'

  it('has an index with what is missing, and no more than a few groups have none', async () => {
    const { user } = openLong(8, 'long')
    expect(
      heads()
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toHaveLength(7)
    expect(heads().getAllByText('1 missing')).toHaveLength(7)
    await user.type(screen.getByLabelText('F0'), 'a')
    await user.tab()
    expect(heads().getAllByText('1 missing')).toHaveLength(6)
  })

  it('has neither with few groups, nor where it is not named', () => {
    const { unmount } = openLong(6, 'few')
    expect(screen.queryByRole('navigation')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Group 0' })).toBeNull()
    unmount()
    openLong(8)
    expect(screen.queryByRole('navigation')).toBeNull()
  })

  it('keeps the focus where an answer makes it long', async () => {
    const { user } = openLong(7, 'grows')
    await user.type(screen.getByLabelText('F0'), 'more')
    await screen.findByLabelText('F6')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('F0')))
    expect(isOpen('Group 0')).toBe(true)
  })

  it('folds groups by the keyboard, and remembers which for the session', async () => {
    const { user, unmount } = openLong(8, 'long')
    fold('Group 2').focus()
    await user.keyboard('{Enter}')
    expect(isOpen('Group 2')).toBe(false)
    expect(screen.getByLabelText('F2').closest('[hidden]')).toBeTruthy()
    unmount()
    openLong(8, 'long')
    expect([isOpen('Group 1'), isOpen('Group 2')]).toEqual([true, false])
  })

  it('opens a group by its link, by an error in it, and by a link to that', async () => {
    const { user, submit } = openLong(8, 'long')
    for (const name of ['Group 2', 'Group 3']) await user.click(fold(name))
    await user.click(heads().getByRole('link', { name: 'Group 2' }))
    expect(isOpen('Group 2')).toBe(true)
    expect(document.activeElement).toBe(fold('Group 2'))
    submit()
    expect(isOpen('Group 3')).toBe(true)
    await user.click(fold('Group 3'))
    await user.click(within(screen.getByRole('alert')).getAllByRole('link')[3])
    expect(isOpen('Group 3')).toBe(true)
    expect(document.activeElement).toBe(screen.getByLabelText('F3'))
  })
})
