import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { WhyCell } from '../../src/engine/cells/WhyCell.tsx'

const property = { title: 'Why' }
const row = {
  title: 'Ring the ward',
  because: "'Concern' is Yes",
  because_label: 'Open concern',
  because_by: 'Avery Lindqvist',
  because_at: '2026-11-25T11:40:00Z',
}

test('opens in place why a step is there, by the keyboard', async () => {
  render(<WhyCell value={row.because} {...{ property, row }} />)
  const button = screen.getByRole('button', { name: 'Why is this here? Ring the ward' })
  const text = document.getElementById(button.getAttribute('aria-controls')!)!
  expect([button.getAttribute('aria-expanded'), text.hidden]).toEqual(['false', true])
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  expect([button.getAttribute('aria-expanded'), text.hidden]).toEqual(['true', false])
  expect(text.textContent).toBe("Open concern: 'Concern' is Yes. Avery Lindqvist, 25 November 2026, 11:40.")
})

test('is nothing for a step that a person planned', () => {
  const { container } = render(<WhyCell value={null} {...{ property }} row={{ title: 'Ring' }} />)
  expect(container.textContent).toBe('')
})
