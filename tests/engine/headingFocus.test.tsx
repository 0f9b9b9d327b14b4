import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { useHeadingFocus } from '../../src/app/core/headingFocus.ts'

function Page({ pathname }: { pathname: string }) {
  useHeadingFocus(pathname)
  return (
    <>
      <input aria-label="Find" />
      <main id="main">
        <h1>{pathname}</h1>
      </main>
    </>
  )
}

afterEach(() => history.replaceState(null, '', '/'))

async function go({ acts }: { acts: boolean }) {
  const { rerender } = render(<Page pathname="/before" />)
  const box = screen.getByRole('textbox', { name: 'Find' })
  box.focus()
  await userEvent.keyboard('{Enter}')
  history.replaceState(null, '', '/after')
  if (acts) await userEvent.keyboard('q')
  rerender(<Page pathname="/after" />)
  return box
}

test('the heading of the next page takes the focus from what led there', async () => {
  await go({ acts: false })
  expect(document.activeElement?.textContent).toBe('/after')
})

test('it takes none from somebody who goes on before the page of the new address is drawn', async () => {
  const box = await go({ acts: true })
  expect(document.activeElement).toBe(box)
})
