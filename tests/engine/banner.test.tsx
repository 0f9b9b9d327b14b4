import { screen as view, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
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
const handlers = (alerts: () => Reply | Promise<Reply>) => ({
  'GET /boat/7/': { data: { id: 7, name: 'Ann' } },
  'GET /harbour/7/boats/': page([]),
  'GET /boat/7/alerts/': alerts,
})

it('renders alerts above the tabs: by level, then risks, overdue ones in words, with links', async () => {
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
        alert('No consent', 'Alert', { level: 'info' }),
        alert('Open concern', 'Alert', { level: 'danger', case: 3, issue: 4 }),
      ]),
    ),
  )
  await open(screens, '/boats/7/fleet')
  const region = await view.findByRole('region', { name: 'Alerts' })
  const items = within(region).getAllByRole('listitem')
  expect(items.map((item) => item.textContent)).toEqual([
    'Danger: Open concern',
    'Information: No consent',
    'Risk: Loose stairsReview overdue since 4 June 2026Mind the step',
    'Risk: DogReview on 4 June 2027',
    'Communication: Speaks quietly',
  ])
  expect(within(region).getByRole('link', { name: 'Open concern' }).getAttribute('href')).toBe(
    '/cases/3/issues/4',
  )
  expect(items.map((item) => item.className)).toEqual([
    'banner-danger',
    'banner-info',
    'banner-danger',
    'banner-danger banner-more',
    'banner-danger banner-more',
  ])
  const button = within(region).getByRole('button', { name: 'Show all 5' })
  await userEvent.click(button)
  expect(button.getAttribute('aria-expanded')).toBe('true')
  expect(region.className).toContain('banner-open')
})

it('says in place why an alert is there, what was done and what ends it', async () => {
  fakeServer.use(
    handlers(() =>
      page([
        alert('Open concern', 'Alert', {
          level: 'danger',
          details: 'Concern: neglect',
          because: "'Concern' is Yes",
          since: '2026-11-25T11:40:00Z',
          by_name: 'Avery Lindqvist',
          record_title: 'Issue 4',
          case: 3,
          issue: 4,
          notified: ['Ann', 'Bo', 'Cy', 'Di', 'Ed'],
          steps: ['Agree what happens next'],
          holds: ['close', 'purge'],
          ends_when_closed: true,
          unanswered: 'outcome',
        }),
        alert('Known by its label alone', 'Alert', { level: 'warning', because: null }),
      ]),
    ),
  )
  await open(screens, '/boats/7/fleet')
  const region = await view.findByRole('region', { name: 'Alerts' })
  const button = within(region).getByRole('button', { name: 'Why is this here? Open concern' })
  const reason = document.getElementById(button.getAttribute('aria-controls')!)!
  expect([button.getAttribute('aria-expanded'), reason.hidden]).toEqual(['false', true])
  button.focus()
  await userEvent.keyboard('{Enter}')
  expect([button.getAttribute('aria-expanded'), reason.hidden]).toEqual(['true', false])
  expect([...reason.querySelectorAll('dd')].map((part) => part.textContent)).toEqual([
    "Issue 4: 'Concern' is Yes. Avery Lindqvist, 25 November 2026, 11:40.",
    'Ann, Bo, Cy and 2 more were notified. The step “Agree what happens next” was planned.',
    'It disappears once this no longer applies or the record is closed. Until then the record cannot be closed or deleted for good. Answer the question',
  ])
  expect(within(reason).getByRole('link', { name: 'Answer the question' }).getAttribute('href')).toBe(
    '/cases/3/issues/4#answers.outcome',
  )
  expect(within(reason).getByRole('link', { name: 'Issue 4' }).getAttribute('href')).toBe('/cases/3/issues/4')
  await userEvent.click(within(region).getByRole('button', { name: 'Hide why Open concern' }))
  expect(reason.hidden).toBe(true)
  expect(within(region).getAllByRole('button')).toHaveLength(1)
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

it('leaves the tabs unseen until the alerts above them are there, for a second at most', async () => {
  let reply = (_: Reply) => {}
  fakeServer.use(
    handlers(
      () =>
        new Promise<Reply>((resolve) => {
          reply = resolve
        }),
    ),
  )
  await open(screens, '/boats/7/fleet')
  const article = (await view.findByRole('heading', { name: 'Boat 7' })).closest('article')!
  expect(article.dataset.waiting).toBe('true')
  await vi.waitFor(() => expect(article.dataset.waiting).toBeUndefined(), { timeout: 5000 })
  expect(view.queryByRole('region', { name: 'Alerts' })).toBeNull()
  reply(page([alert('Dog', 'Risk')]))
  await view.findByRole('region', { name: 'Alerts' })
  expect(article.dataset.waiting).toBeUndefined()
})
