import { screen as view, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { contract } from './boats.ts'
import { fakeServer, page, type Reply } from './fakeServer.ts'
import { open } from './open.tsx'

Object.assign(contract.endpoints, {
  'boats.alerts': { call: 'GET /boat/{id}/alerts/', does: 'list boat', roles: 'staff' },
})

const BOAT = {
  route: '/boats/{id}',
  kind: 'detail',
  title: 'Boat {id}',
  read: 'boats.read',
  banner: { read: 'boats.alerts', id: 'record.id', link: '/cases/{case}/issues/{issue}' },
  tabs: ['boat-fleet'],
}
const FLEET = {
  route: '/boats/{id}/fleet',
  kind: 'list',
  title: 'Fleet',
  source: 'boats.of',
  columns: ['name'],
}
const screens = { boat: BOAT, 'boat-fleet': FLEET }
const alert = (id: string, kind: string, more: object = {}) => ({
  id,
  kind,
  label: id,
  details: null,
  review_date: null,
  is_overdue: null,
  case: null,
  issue: null,
  ...more,
})
const handlers = (alerts: () => Reply) => ({
  'GET /boat/7/': { data: { id: 7, name: 'Ann' } },
  'GET /harbour/7/boats/': page([]),
  'GET /boat/7/alerts/': alerts,
})

it('renders alerts above the tabs: risks first, overdue ones in words, with links', async () => {
  fakeServer.use(
    handlers(() =>
      page([
        alert('Speaks quietly', 'Communication'),
        alert('Dog', 'Risk', { review_date: '2027-06-04', is_overdue: false }),
        alert('Loose stairs', 'Risk', {
          details: 'Mind the step',
          review_date: '2026-06-04',
          is_overdue: true,
        }),
        alert('Open concern', 'Safeguarding', { case: 3, issue: 4 }),
      ]),
    ),
  )
  await open(screens, '/boats/7/fleet')
  const region = await view.findByRole('region', { name: 'Alerts' })
  const items = within(region).getAllByRole('listitem')
  expect(items.map((item) => item.textContent)).toEqual([
    'Risk: Loose stairsReview overdue since 4 June 2026Mind the step',
    'Risk: DogReview on 4 June 2027',
    'Safeguarding: Open concern',
    'Communication: Speaks quietly',
  ])
  expect(within(region).getByRole('link', { name: 'Open concern' }).getAttribute('href')).toBe(
    '/cases/3/issues/4',
  )
  expect(items.map((item) => item.className)).toEqual(['', '', '', 'banner-more'])
  const button = within(region).getByRole('button', { name: 'Show all 4' })
  await userEvent.click(button)
  expect(button.getAttribute('aria-expanded')).toBe('true')
  expect(region.className).toContain('banner-open')
})

it('renders no banner without alerts', async () => {
  fakeServer.use(handlers(() => page([])))
  await open(screens, '/boats/7/fleet')
  await view.findByText('There is nothing here yet')
  expect(view.queryByRole('region', { name: 'Alerts' })).toBeNull()
})

it('shows an error and retries', async () => {
  let broken = true
  fakeServer.use(handlers(() => (broken ? { status: 500 } : page([alert('Dog', 'Risk')]))))
  await open(screens, '/boats/7/fleet')
  const region = await view.findByRole('region', { name: 'Alerts' })
  expect(within(region).getByRole('alert').textContent).toContain('could not be read')
  broken = false
  await userEvent.click(within(region).getByRole('button', { name: 'Retry' }))
  expect(await view.findByText('Risk: Dog')).toBeTruthy()
})
