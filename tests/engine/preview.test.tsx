import { render, screen as view, within } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { expect, it } from 'vitest'

// Loaded beforehand, so that no test waits for code.
const { default: Preview } = await import('../../src/engine/preview/Preview.tsx')
await import('../../src/engine/list/Report.tsx')

it('shows a report, with numbers that lead to a list', async () => {
  render(
    <MemoryRouter initialEntries={['/preview/figures']}>
      <Routes>
        <Route path="/preview/*" element={<Preview />} />
      </Routes>
    </MemoryRouter>,
  )
  const table = await view.findByRole('table')
  const rows = within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent))
  expect(rows).toEqual([
    ['Colour', 'Things', 'Time'],
    ['Red', '29', '203:00'],
    ['Green', '28', '196:00'],
    ['Total', '57', '399:00'],
  ])
  expect(within(table).getAllByRole('link')[0].getAttribute('href')).toMatch(/^\/preview\/list\?colour=1/)
})
