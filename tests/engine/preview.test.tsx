import { render, screen as view, within } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { expect, it } from 'vitest'
import { cells } from '../../src/engine/cells/cells.ts'

// Loaded beforehand, so that no test waits for code.
const { default: Preview } = await import('../../src/engine/preview/Preview.tsx')
await import('../../src/engine/kinds/report/Report.tsx')

const open = (page: string) =>
  render(
    <MemoryRouter initialEntries={[`/preview/${page}`]}>
      <Routes>
        <Route path="/preview/*" element={<Preview />} />
      </Routes>
    </MemoryRouter>,
  )

it('shows every cell, with a value and without', async () => {
  open('cells')
  const names = (await view.findAllByRole('rowheader')).map((name) => name.textContent).filter(Boolean)
  expect(names).toEqual(Object.keys(cells))
})

it('shows every widget, those that need a server too', async () => {
  open('widgets')
  expect((await view.findAllByText('Signatures cannot be stored here yet')).length).toBeGreaterThan(0)
  expect(view.getAllByLabelText(/^Textarea/).length).toBeGreaterThan(0)
})

it('shows a report, with numbers that lead to a list', async () => {
  open('figures')
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
