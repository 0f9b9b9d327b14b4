// @vitest-environment jsdom
import { cleanup, screen as view, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
// Fetched when it is needed; here before that, so that no test waits for it.
import '../../src/engine/detail/Detail.tsx'
import '../../src/engine/list/List.tsx'
import { contract, open, page, serve } from './context.tsx'

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
const answers = (alerts: () => { status?: number; data?: unknown }) => ({
  'GET /boat/7/': () => ({ data: { id: 7, name: 'Ann' } }),
  'GET /harbour/7/boats/': () => ({ data: page([]) }),
  'GET /boat/7/alerts/': alerts,
})

afterEach(cleanup)

it('stands above the tabs: risks first, overdue ones in words, a link where there is a place to go', async () => {
  serve(
    answers(() => ({
      data: page([
        alert('Speaks quietly', 'Communication'),
        alert('Dog', 'Risk', { review_date: '2027-06-04', is_overdue: false }),
        alert('Loose stairs', 'Risk', {
          details: 'Mind the step',
          review_date: '2026-06-04',
          is_overdue: true,
        }),
        alert('Open concern', 'Safeguarding', { case: 3, issue: 4 }),
      ]),
    })),
  )
  open(screens, '/boats/7/fleet')
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

it('is not there where there is nothing to say', async () => {
  serve(answers(() => ({ data: page([]) })))
  open(screens, '/boats/7/fleet')
  await view.findByText('There is nothing here yet')
  expect(view.queryByRole('region', { name: 'Alerts' })).toBeNull()
})

it('says that it could not be read, and tries again', async () => {
  let broken = true
  serve(answers(() => (broken ? { status: 500 } : { data: page([alert('Dog', 'Risk')]) })))
  open(screens, '/boats/7/fleet')
  const region = await view.findByRole('region', { name: 'Alerts' })
  expect(within(region).getByRole('alert').textContent).toContain('could not be read')
  broken = false
  await userEvent.click(within(region).getByRole('button', { name: 'Retry' }))
  expect(await view.findByText('Risk: Dog')).toBeTruthy()
})
