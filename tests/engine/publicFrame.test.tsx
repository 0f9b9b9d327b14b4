import { render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { PublicFrame } from '../../src/app/PublicFrame.tsx'

const SETTINGS = { organisation: 'The Riverside Trust', 'public-contact': '01632 960001, Monday to Friday' }

afterEach(() => document.head.replaceChildren())

it('says on a public page whose it is and whom to call, also while the form is closed', () => {
  for (const [name, content] of Object.entries(SETTINGS))
    document.head.append(Object.assign(document.createElement('meta'), { name, content }))
  render(
    <PublicFrame>
      <main>This form cannot be opened</main>
    </PublicFrame>,
  )
  expect(screen.getByRole('banner').textContent).toContain('The Riverside Trust')
  expect(screen.getByRole('contentinfo').textContent).toBe(
    'To speak to somebody instead, call 01632 960001, Monday to Friday.',
  )
})

it('names the product where no organisation is set, and nobody to call', () => {
  render(<PublicFrame>form</PublicFrame>)
  expect(screen.getByRole('banner').textContent).toContain('Advocacy casework')
  expect(screen.queryByRole('contentinfo')).toBeNull()
})
