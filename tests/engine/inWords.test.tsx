import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openConstructor, row, serveConstructor, settings } from './constructorContext.tsx'

describe('a form in words', () => {
  beforeEach(serveConstructor)

  it('has the draft as it is now, and is copied and printed', async () => {
    const { user } = await openConstructor()
    await user.click(row('Ward'))
    await user.clear(settings().getByLabelText('Label'))
    await user.type(settings().getByLabelText('Label'), 'Ward or home')
    await user.click(screen.getByRole('button', { name: 'In words' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Advocacy: case form in words' }))
    await waitFor(() => expect(dialog.getByText('3 Ward or home')).toBeTruthy())
    expect(dialog.getByRole('heading', { name: 'A Referral' })).toBeTruthy()
    const why = dialog.getByText('2 Why urgent').closest('li')!
    expect(why.textContent).toContain("Shown only when '1 Urgent' is Yes.")
    await user.click(dialog.getByRole('button', { name: 'Copy as text' }))
    const text = await navigator.clipboard.readText()
    expect(text).toContain("  2 Why urgent\n      Text.\n      Shown only when '1 Urgent' is Yes.\n")
    // What scrolls can be scrolled by keys.
    expect(dialog.getByRole('region', { name: 'The form in words' }).tabIndex).toBe(0)
    const print = vi.spyOn(window, 'print').mockImplementation(() => {})
    await user.click(dialog.getByRole('button', { name: 'Print' }))
    expect(print).toHaveBeenCalledOnce()
    print.mockRestore()
  })
})
