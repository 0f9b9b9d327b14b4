// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FormScreen } from '../../src/contract/generated.ts'
import FormKind from '../../src/engine/form/Form.tsx'
import { contract, Providers, type Sent, serve, USER } from './formFixtures.tsx'

const ADMIN = { ...USER, groups: [1] }
const FIRST = Array.from({ length: 100 }, (_, i) => ({ id: i + 1, name: `Person ${i + 1}`, hub_label: null }))
const BEA = {
  id: 5,
  version: 3,
  username: 'bea',
  first_name: 'Bea',
  last_name: 'Lowe',
  groups: [4],
  line_manager: 900,
}

let sent: Sent[]
beforeEach(() => {
  sent = serve(({ path, method, body, params }) => {
    if (path === '/api/staff/line_managers')
      return params.term
        ? { data: [{ id: 901, name: 'Yan Yardley', hub_label: 'Eastern' }], pagination: { count: 1 } }
        : { data: FIRST, pagination: { count: 10000 } }
    if (path === '/api/staff/line_managers/900') return { id: 900, name: 'Zoe Zane' }
    if (path === '/api/staff/hubs') return { data: [{ id: 1, name: 'Eastern' }], pagination: { count: 1 } }
    if (path === '/api/staff/5') return BEA
    return method === 'GET' ? undefined : { ...BEA, ...body }
  })
})
afterEach(cleanup)

async function open(name: string, at: string, user = ADMIN) {
  const described = contract.screens[name] as FormScreen
  const path = described.route.replace('{id}', ':id')
  const routes = [
    { path, element: <FormKind screen={described} /> },
    { path: '*', element: 'elsewhere' },
  ]
  render(
    <Providers user={user}>
      <RouterProvider router={createMemoryRouter(routes, { initialEntries: [at] })} />
    </Providers>,
  )
}
const manager = () => screen.getByRole('combobox', { name: /^Line manager/ }) as HTMLInputElement

test('one among ten thousand is called by name, and others are found by the server', async () => {
  await open('staff-details', '/advocate/5/details')
  await waitFor(() => expect(manager().value).toBe('Zoe Zane'))
  await userEvent.clear(manager())
  await userEvent.type(manager(), 'yan')
  await userEvent.click(await screen.findByRole('option', { name: /Yan Yardley/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'PATCH')?.body).toEqual({ version: 3, line_manager: 901 }),
  )
})

test('a new record needs none, where the choice is not what it belongs to', async () => {
  await open('new-staff', '/dashboard/management/new')
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }))
  const alert = screen.getByRole('alert').textContent
  for (const needed of ['user name', 'first name', 'last name', 'email', 'roles'])
    expect(alert).toContain(needed)
  for (const not of ['hub', 'line manager']) expect(alert).not.toContain(not)
})

test('whoever may not save sees names, not numbers', async () => {
  await open('staff-details', '/advocate/5/details', { ...USER, groups: [2] })
  await screen.findByText('Zoe Zane')
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})
