// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, Link, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FormScreen } from '../../src/contract/generated.ts'
import FormKind from '../../src/engine/form/Form.tsx'
import { type Notice, subscribeToNotices } from '../../src/engine/runtime/notices.ts'
import { contract, Providers, type Sent, serve, USER } from './formFixtures.tsx'

const ISSUE = { id: 8, case: 7, client: 5, client_name: 'Jan Powell', issue_type_label: 'Benefits' }
const OTHER = { id: 9, case: 6, client: 4, client_name: 'Al Short', issue_type_label: 'Housing' }
const META = [
  { name: 'g', label: 'Benefit', fields: [{ name: 'which', label: 'Which benefit', type: 'text' }] },
]
let sent: Sent[]
let last: object
let post: (one: Sent) => unknown
let draft: (one: Sent) => unknown
let notices: Notice[]
let unhear: () => void

beforeEach(() => {
  notices = []
  unhear = subscribeToNotices((notice) => notices.push(notice))
  last = { id: 1, type: 2 }
  post = ({ body }) => [201, { id: 50, case: 7, ...body }]
  let version = 0
  draft = ({ method, body }) => {
    if (method === 'DELETE') return [204, '']
    version += 1
    return { id: 12, version, kind: 'action', payload: body?.payload }
  }
  sent = serve((one) => {
    const { method, path } = one
    if (path === '/api/actions/last') return last
    if (path === '/api/staff/me/issues') return { data: [ISSUE, OTHER], pagination: {} }
    if (path === '/issue/8/') return ISSUE
    if (path === '/case/7/')
      return { id: 7, version: 1, client: 5, client_name: 'Jan Powell', case_type: 1, service: 1 }
    if (path === '/case_type/1/') return { id: 1, label: 'IMCA', version: 3, issue_meta: META, case_meta: [] }
    if (path === '/client/5/index/') return { id: 5, version: 1 }
    if (path.startsWith('/api/drafts')) return draft(one)
    if (method === 'POST') return post(one)
    return undefined
  })
})
afterEach(() => {
  unhear()
  cleanup()
})

async function open(at: string, name = 'new-action') {
  const described = contract.screens[name] as FormScreen
  const router = createMemoryRouter(
    [
      {
        path: described.route.replaceAll(/\{(\w+)\}/g, ':$1'),
        element: (
          <>
            <FormKind screen={described} />
            <Link to="/elsewhere">Elsewhere</Link>
          </>
        ),
      },
      { path: '*', element: <p>Another page</p> },
    ],
    { initialEntries: [at] },
  )
  const drawn = render(
    <Providers user={USER}>
      <RouterProvider router={router} />
    </Providers>,
  )
  await screen.findByRole('button', { name: 'Save' })
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull())
  const address = () => router.state.location.pathname + router.state.location.search
  return { ...drawn, address }
}
const box = (label: RegExp) => screen.getByLabelText(label) as HTMLInputElement
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const calls = (method: string, path: string) => sent.filter((s) => s.method === method && s.path === path)

describe('what it begins with', () => {
  test('a place that the address gives is shown and sent, never asked', async () => {
    const { address } = await open('/action/new?issue=8')
    expect(await screen.findByText('Issue 8: Benefits – Jan Powell')).toBeTruthy()
    expect(screen.queryByLabelText(/^(Issue|Case)/)).toBeNull()
    expect(box(/^Type/).value).toBe('2')
    await userEvent.type(box(/^Notes/), 'Rang')
    await press('Save')
    await waitFor(() => expect(address()).toBe('/cases/7/chronology'))
    const [{ body, headers }] = calls('POST', '/action/')
    expect(body).toMatchObject({
      issue: 8,
      type: 2,
      notes: 'Rang',
      done_on: expect.stringMatching(/^\d{4}-/),
    })
    expect(headers['Idempotency-Key']).toBeTruthy()
  })

  test('otherwise it is chosen from one’s own, and must be', async () => {
    last = {}
    await open('/action/new')
    const issue = box(/^Issue/)
    expect([...issue.querySelectorAll('option')].map((o) => o.textContent)).toEqual([
      '',
      'Al Short – Housing (#9)',
      'Jan Powell – Benefits (#8)',
    ])
    expect(box(/^Type/).value).toBe('')
    await press('Save')
    expect(
      within(screen.getByRole('alert'))
        .getAllByRole('link')
        .map((l) => l.textContent),
    ).toEqual([expect.stringMatching(/issue/i), expect.stringMatching(/type/i)])
    await userEvent.selectOptions(issue, '9')
    await userEvent.selectOptions(box(/^Type/), '2')
    await press('Save')
    await waitFor(() => expect(calls('POST', '/action/')).toHaveLength(1))
    expect(calls('POST', '/action/')[0].body).toMatchObject({ issue: 9 })
  })

  test('of a case only its own issues are offered; what is no number is left out', async () => {
    await open('/action/new?case=7&issue=x')
    expect(await screen.findByText('Case 7: Jan Powell')).toBeTruthy()
    expect([...box(/^Issue \(optional/).querySelectorAll('option')].map((o) => o.textContent)).toEqual([
      '',
      'Jan Powell – Benefits (#8)',
    ])
  })

  test('what is read leads to what is read next', async () => {
    const { address } = await open('/cases/7/issues/new', 'case-new-issue')
    await userEvent.type(box(/^Which benefit/), 'PIP')
    const types = box(/^Issue type/)
    await userEvent.selectOptions(types, types.querySelectorAll('option')[1].value)
    await press('Save')
    await waitFor(() => expect(address()).toBe('/cases/7/issues/50/details'))
    expect(calls('POST', '/case/7/issue/')[0].body).toMatchObject({ answers: { which: 'PIP' } })
  })
})

describe('an unfinished one', () => {
  test('is kept on the server from the first change, and the save says which draft goes with it', async () => {
    const { address } = await open('/action/new?issue=8')
    expect(calls('POST', '/api/drafts')).toEqual([])
    fireEvent.change(box(/^Next step due/), { target: { value: '2030-01-02' } })
    await waitFor(() => expect(address()).toBe('/action/new?issue=8&draft=12'), { timeout: 3000 })
    expect(calls('POST', '/api/drafts')[0].body).toMatchObject({
      kind: 'action',
      address: '/action/new?issue=8',
      title: 'New Action – Issue 8',
      payload: { document: { issue: 8, next_due: '2030-01-02' } },
    })
    await press('Save')
    await waitFor(() => expect(address()).toBe('/cases/7/chronology'))
    expect(calls('POST', '/action/')[0].headers['X-Draft']).toBe('12')
    expect(calls('DELETE', '/api/drafts/12')).toEqual([])
  })

  test('is not kept again while it is saved, nor once it is; a refused one is', async () => {
    const { address } = await open('/action/new?issue=8')
    await userEvent.type(box(/^Notes/), 'Half')
    await waitFor(() => expect(address()).toContain('draft=12'), { timeout: 3000 })
    let answer: ((reply: unknown) => void) | undefined
    post = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    const kept = () => [...calls('POST', '/api/drafts'), ...calls('PUT', '/api/drafts/12')].length
    for (const [reply, more] of [
      [[400, { notes: ['No'] }], 1],
      [[201, { id: 50, case: 7 }], 0],
    ] as const) {
      await press('Save')
      await waitFor(() => expect(answer).toBeTruthy())
      const before = kept()
      fireEvent.change(box(/^Next step due/), { target: { value: `2030-01-0${3 - more}` } })
      await new Promise((resolve) => setTimeout(resolve, 1200))
      expect(kept()).toBe(before)
      answer!(reply)
      answer = undefined
      await new Promise((resolve) => setTimeout(resolve, 1200))
      expect(kept()).toBe(before + more)
    }
    expect(address()).toBe('/cases/7/chronology')
  })

  test('is gone on with by its address', async () => {
    draft = ({ method }) =>
      method === 'GET' && {
        id: 12,
        version: 4,
        payload: { document: { issue: 8, type: 2, done_on: '2026-01-05', notes: 'Half' } },
      }
    await open('/action/new?issue=8&draft=12')
    await waitFor(() => expect(box(/^Notes/).value).toBe('Half'))
    expect(await screen.findByText('Issue 8: Benefits – Jan Powell')).toBeTruthy()
    await userEvent.click(screen.getByText('Elsewhere'))
    expect(await screen.findByText('Another page')).toBeTruthy()
  })

  test('is left for later without a question', async () => {
    const { address } = await open('/action/new?issue=8')
    await userEvent.type(box(/^Notes/), 'Half')
    await press('Save draft')
    await waitFor(() => expect(address()).toBe('/dashboard/draft-cases'))
    expect(calls('POST', '/api/drafts')[0].body).toMatchObject({ payload: { document: { notes: 'Half' } } })
    expect(calls('DELETE', '/api/drafts/12')).toEqual([])
  })

  test('is asked about before it is left, and given up with its draft', async () => {
    const { address } = await open('/action/new?issue=8')
    await userEvent.type(box(/^Notes/), 'Half')
    await waitFor(() => expect(address()).toContain('draft=12'), { timeout: 3000 })
    await userEvent.click(screen.getByText('Elsewhere'))
    expect(await screen.findByText('Warning! You have unsaved changes')).toBeTruthy()
    expect(screen.getByText('The added information will be lost.')).toBeTruthy()
    await press('Leave')
    expect(await screen.findByText('Another page')).toBeTruthy()
    expect(calls('DELETE', '/api/drafts/12')).toHaveLength(1)
  })

  test('that the server could not be given is there again for the same person on the same page', async () => {
    draft = () => [401, {}]
    const { unmount } = await open('/action/new?issue=8')
    await userEvent.type(box(/^Notes/), 'Held')
    unmount()
    await waitFor(() => expect(calls('POST', '/api/drafts').length).toBeGreaterThan(0))
    draft = () => ({ id: 13, version: 1 })
    await open('/action/new')
    expect(box(/^Notes/).value).toBe('')
    cleanup()
    await open('/action/new?issue=8')
    expect(box(/^Notes/).value).toBe('Held')
  })
})

describe('saving', () => {
  test('and adding another begins anew in the same place, with a key of its own', async () => {
    const { address } = await open('/action/new?issue=8')
    await userEvent.type(box(/^Notes/), 'First')
    await press('Save and add another')
    await waitFor(() => expect(box(/^Notes/).value).toBe(''))
    expect(notices.at(-1)).toEqual({ kind: 'success', text: 'Saved' })
    expect(address()).toBe('/action/new?issue=8')
    await waitFor(() => expect(document.activeElement).toBe(box(/^Type/)))
    await userEvent.type(box(/^Notes/), 'Second')
    await press('Save')
    await waitFor(() => expect(address()).toBe('/cases/7/chronology'))
    const posts = calls('POST', '/action/')
    expect(posts.map((s) => s.body.notes)).toEqual(['First', 'Second'])
    expect(posts.map((s) => s.body.issue)).toEqual([8, 8])
    expect(new Set(posts.map((s) => s.headers['Idempotency-Key'])).size).toBe(2)
  })

  test('shows what the server has against it and keeps all', async () => {
    await open('/action/new')
    await userEvent.selectOptions(box(/^Issue/), '9')
    await userEvent.type(box(/^Notes/), 'Kept')
    post = () => [400, { issue: ['Issue must be one that you may see'] }]
    await press('Save')
    await waitFor(() => expect(screen.getAllByText('Issue must be one that you may see')).toHaveLength(2))
    expect(box(/^Notes/).value).toBe('Kept')
    expect(notices).toEqual([])
  })
})
