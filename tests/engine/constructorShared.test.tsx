// @vitest-environment jsdom
import { Icons } from '@blueprintjs/icons'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import Constructor from '../../src/constructor/Constructor.tsx'
import type { CaseType, SavedDraft } from '../../src/constructor/caseType.ts'
import type { Group } from '../../src/contract/generated.ts'
import { ContractContext } from '../../src/engine/runtime/contract.ts'
import { subscribeToNotices } from '../../src/engine/runtime/notices.ts'
import { UserContext } from '../../src/engine/runtime/user.ts'
import { applyVersionEvents } from '../../src/engine/runtime/versionEvents.ts'
import { contract, type Sent, serve, USER } from './formFixtures.tsx'

await Icons.load(['undo', 'redo', 'arrow-up', 'arrow-down', 'chevron-down', 'cross', 'warning-sign'], 16)

const LATER = { timeout: 4000 }
const case_meta: Group[] = [
  {
    name: 'referral',
    label: 'Referral',
    fields: [
      { name: 'ward', label: 'Ward', type: 'text' },
      { name: 'bed', label: 'Bed', type: 'text' },
      { name: 'section', label: 'Section', type: 'select', attrs: { lookup: 'section_status', default: 2 } },
    ],
  },
]
const first: CaseType = { id: 7, label: 'Advocacy', service: 1, version: 4, case_meta, issue_meta: [] }
const today = new Date()
today.setHours(10, 42, 0, 0)
const at = today.toISOString()
const by = 'Ann Lee'

/** What the server holds, and how it answers a PUT of the draft. */
let type: CaseType
let draft: SavedDraft
let keep: (sent: Sent) => unknown
let publish: (sent: Sent) => unknown
let lookups: Record<string, unknown>
beforeEach(() => {
  type = structuredClone(first)
  draft = { rev: 0, version: 0 }
  keep = ({ body }) => {
    const rev = (draft.version ?? 0) + 1
    draft = { ...(body as object), rev, version: rev } as unknown as SavedDraft
    return { rev }
  }
  publish = ({ body }) => {
    type = { ...type, ...(body as object), version: type.version + 1 }
    draft = { rev: 0, version: (draft.version ?? 0) + 1 }
    return type
  }
  lookups = {}
})
afterEach(cleanup)

async function open() {
  const sent = serve((one) => {
    const { path, method } = one
    if (path === '/api/case_types/7/usage')
      return { cases: 3, open_cases: 1, issues: 1, case_meta: { ward: 2 }, issue_meta: {} }
    if (path === '/api/case_types/7/draft') {
      if (method === 'PUT') return keep(one)
      if (method === 'GET') return structuredClone(draft)
      draft = { rev: 0, version: (draft.version ?? 0) + 1 }
      return [204, '']
    }
    if (path === '/api/case_types/7/versions') {
      return [type.version, 4].map((version) => ({ version, label: 'x', note: '', by, at }))
    }
    if (path === '/api/case_types/7/versions/4') return first
    if (path === '/api/case_types/7' && method === 'DELETE') return [204, '']
    if (path === '/case_type/7/') return method === 'PATCH' ? publish(one) : structuredClone(type)
    const list = lookups[path]
    return typeof list === 'function' ? list(one) : list
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 0 } } })
  const router = createMemoryRouter(
    [
      { path: '/dashboard/module-constructor/:id', element: <Constructor /> },
      { path: '/dashboard/module-constructor', element: 'The list' },
    ],
    { initialEntries: ['/dashboard/module-constructor/7'] },
  )
  render(
    <ContractContext value={contract}>
      <QueryClientProvider client={client}>
        <UserContext value={USER}>
          <RouterProvider router={router} />
        </UserContext>
      </QueryClientProvider>
    </ContractContext>,
  )
  await screen.findByRole('region', { name: 'Structure' })
  const of = (method: string) => sent.filter((s) => s.method === method)
  const hear = async () => {
    await act(async () => {
      applyVersionEvents(contract, client, [
        { entity: 'caseType', id: 7, version: type.version },
        { entity: 'caseTypeDraft', id: 7, version: draft.version ?? 0 },
      ])
    })
  }
  return { user: userEvent.setup(), of, hear }
}

const structure = () => within(screen.getByRole('region', { name: 'Structure' }))
const settings = () => within(document.querySelector<HTMLElement>('.constructor-settings')!)
const preview = () => within(screen.getByRole('region', { name: 'Preview' }))
const row = (name: string) => structure().getByRole('button', { name: new RegExp(`^${name}`) })
const rows = () => [...document.querySelectorAll('[data-row] .constructor-title')].map((e) => e.textContent)
const state = () => document.querySelector('.constructor-header [role=status]')?.textContent
const ask = () => screen.getByRole('button', { name: 'Publish…' })
const changed = (label: string): Group[] => [{ ...case_meta[0], label }]
const theirs = (rev: number, label: string): SavedDraft => ({
  rev,
  version: rev,
  base_version: type.version,
  label: 'Advocacy',
  case_meta: changed(label),
  issue_meta: [],
  by,
  at,
})

describe('what others do meanwhile', () => {
  it('is applied with a status line while there are no unsaved changes', async () => {
    const { user, of, hear } = await open()
    draft = theirs(1, 'By Ann')
    await hear()
    await waitFor(() => expect(rows()[0]).toBe('By Ann'))
    expect(state()).toMatch(/^Changed by Ann Lee at 10:42\. Draft, not published: saved on .* by Ann Lee\.$/)
    draft = { rev: 0, version: 2, by, at }
    type = { ...type, version: 5, case_meta: changed('By Ann') }
    await hear()
    await waitFor(() =>
      expect(state()).toBe('Version 5 was published by Ann Lee at 10:42. Everything is published.'),
    )
    expect(screen.getByText(/Version 5 ·/)).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
    await user.click(structure().getByRole('checkbox', { name: 'Ward is in use' }))
    expect(state()).toBe('Saving the draft…')
    await waitFor(() => expect(of('PUT')[0]?.body).toMatchObject({ rev: 0, base_version: 5 }), LATER)
  })

  it('is no remote change if it was made here', async () => {
    const { user, hear } = await open()
    await user.click(structure().getByRole('checkbox', { name: 'Ward is in use' }))
    await waitFor(() => expect(state()).toMatch(/^Draft, not published/), LATER)
    await hear()
    expect(state()).toMatch(/^Draft, not published/)
    await user.click(ask())
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Publish version 5' }),
    )
    await waitFor(() => expect(state()).toBe('Everything is published.'))
    await hear()
    expect(state()).toBe('Everything is published.')
  })

  it('is theirs or mine where something of mine would be lost, by one answer, before anything is published', async () => {
    const { user, of, hear } = await open()
    keep = () => new Promise(() => {})
    await user.click(structure().getByRole('checkbox', { name: 'Ward is in use' }))
    const focused = document.activeElement
    type = { ...type, version: 5, case_meta: changed('By Ann') }
    draft = { ...theirs(8, 'Later by Ann'), base_version: 5 }
    await hear()
    await screen.findByText('Changed by Ann Lee since you opened it')
    expect(screen.getByText(/^Version 5 was published/)).toBeTruthy()
    expect(document.activeElement).toBe(focused)
    expect(state()).toBe('Nothing is saved before you choose between theirs and yours.')
    expect(ask().getAttribute('aria-disabled')).toBe('true')
    await user.click(ask())
    expect(screen.queryByRole('dialog')).toBeNull()

    keep = ({ body }) =>
      body.rev === (8 as never) ? { rev: 9 } : [409, { code: 'conflict', about: 'draft', current: draft }]
    await user.click(screen.getByRole('button', { name: 'Keep mine' }))
    await waitFor(() => expect(of('PUT').at(-1)?.body).toMatchObject({ rev: 8, base_version: 5 }), LATER)
    expect(screen.queryByText(/since you opened it/)).toBeNull()
    expect(rows()[0]).toBe('Referral')
  })

  it('is told by a refusal with all that there is, and taken with one answer', async () => {
    const { user, hear } = await open()
    const newer = { ...theirs(8, 'Later by Ann'), base_version: 5 }
    keep = () => {
      type = { ...type, version: 5, case_meta: changed('By Ann') }
      draft = newer
      return [409, { code: 'conflict', current: type, draft, by, at }]
    }
    await user.click(structure().getByRole('checkbox', { name: 'Ward is in use' }))
    await screen.findByText('Changed by Ann Lee since you opened it', {}, LATER)
    await user.click(screen.getByRole('button', { name: 'Take theirs' }))
    await hear()
    expect(rows()[0]).toBe('Later by Ann')
    expect(screen.getByText(/Version 5 ·/)).toBeTruthy()
    expect(state()).toMatch(/^Draft, not published: saved/)
    expect(screen.queryByText(/since you opened it/)).toBeNull()
  })

  it('is what the history compares with', async () => {
    const { user, hear } = await open()
    type = { ...type, version: 5, case_meta: changed('By Ann') }
    draft = { rev: 0, version: 1, by, at }
    await hear()
    await waitFor(() => expect(state()).toMatch(/^Version 5/))
    await user.click(screen.getByRole('button', { name: 'History' }))
    await user.click(
      await screen.findByRole('button', { name: 'Compare version 4 with what is published now' }),
    )
    const table = within(await screen.findByRole('table'))
    expect(table.getByRole('columnheader', { name: 'Version 5, published now' })).toBeTruthy()
    expect(table.getAllByText('By Ann').length).toBeGreaterThan(0)
  })
})

describe('an unfinished draft', () => {
  it('is kept, keeps the focus, and is marked beside its field', async () => {
    const { user, of } = await open()
    await user.click(row('Bed'))
    const shown = within(settings().getByRole('radiogroup', { name: 'Shown' }))
    await user.click(shown.getByLabelText('Only when…'))
    const focused = document.activeElement
    await waitFor(() => expect(of('PUT')).toHaveLength(1), LATER)
    expect(document.activeElement).toBe(focused)
    expect(screen.queryByRole('alert', { name: 'There is a problem' })).toBeNull()
    expect(settings().getByText(/^Choose the field that this condition looks at/)).toBeTruthy()
    expect(
      preview().getByText(
        "'Bed' is not shown: its condition is not finished. Choose the field that it looks at.",
      ),
    ).toBeTruthy()
    await user.selectOptions(settings().getByLabelText('Field'), 'Ward')
    expect(await preview().findByText(/not finished\. Choose the value of 'Ward'\.$/)).toBeTruthy()
  })

  it('that is refused says so in words where it stands, without moving the focus', async () => {
    const { user } = await open()
    keep = () => [
      400,
      { code: 'badRequest', message: 'm', 'case_meta.0.fields.1.label': ['must be shorter'] },
    ]
    await user.click(row('Bed'))
    await user.type(settings().getByLabelText('Label'), 's')
    const focused = document.activeElement
    await waitFor(
      () =>
        expect(state()).toBe(
          "The draft is not saved: Case form, 'Referral', 'Beds', its label: must be shorter.",
        ),
      LATER,
    )
    expect(document.activeElement).toBe(focused)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(settings().getByText('must be shorter')).toBeTruthy()
  })

  it('that cannot be sent says why', async () => {
    const { user } = await open()
    keep = () => [503, { message: 'x' }]
    await user.click(structure().getByRole('checkbox', { name: 'Ward is in use' }))
    const words = 'The draft could not be saved; it is tried again. The server answered with an error.'
    await waitFor(() => expect(state()).toBe(words), LATER)
  })
})

describe('a default that its list does not offer', () => {
  it('is marked with its label, and told before publishing', async () => {
    lookups['/section_status_lookup/'] = [
      { value: 1, label: 'Informal' },
      { value: 2, label: 'Section 2', active: false },
    ]
    const { user } = await open()
    await user.click(row('Section'))
    const list = settings().getByLabelText('Begins as') as HTMLSelectElement
    await waitFor(() => expect(list.selectedOptions[0].textContent).toBe('Section 2 (retired)'))
    const words = "'Section' begins as 'Section 2', which is retired; choose another"
    expect(settings().getByText(words)).toBeTruthy()
    await user.click(structure().getByRole('checkbox', { name: 'Bed is in use' }))
    await user.click(ask())
    expect(within(await screen.findByRole('dialog')).getByText(words)).toBeTruthy()
  })
})

describe('a default of a list of 5,000', () => {
  it('is called by its name wherever it stands in the list, and another is searched for', async () => {
    const all = Array.from({ length: 5000 }, (_, i) => ({ value: 5000 - i, label: `Section ${5000 - i}` }))
    lookups['/section_status_lookup/'] = ({ params }: Sent) => {
      const { id, term } = params as { id?: number[]; term?: string }
      const found = all.filter(
        ({ value, label }) => (id?.includes(value) ?? true) && label.toLowerCase().includes(term ?? ''),
      )
      return [200, found.slice(0, 2000), { 'x-total-count': found.length }]
    }
    const { user, of } = await open()
    await user.click(row('Section'))
    const box = () => settings().getByRole<HTMLInputElement>('combobox', { name: 'Begins as' })
    await waitFor(() => expect([box().tagName, box().value]).toEqual(['INPUT', 'Section 2']))
    expect(settings().queryByText(/choose another/)).toBeNull()
    fireEvent.change(box(), { target: { value: 'section 77' } })
    fireEvent.click(await screen.findByRole('option', { name: 'Section 77' }))
    expect(box().value).toBe('Section 77')
    await waitFor(
      () => expect(JSON.stringify(of('PUT').at(-1)?.body.case_meta)).toContain('"default":77'),
      LATER,
    )
  })
})

describe('the name', () => {
  it('that another case type has is marked where it is written', async () => {
    const { user } = await open()
    publish = () => [400, { label: ['Another case type of this service is called that'] }]
    await user.type(screen.getByLabelText('Name of the case type'), '2')
    await user.click(ask())
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Publish version 5' }),
    )
    await waitFor(() => expect(screen.getAllByText(/^Another case type/)).toHaveLength(2))
    expect(screen.getByLabelText('Name of the case type').getAttribute('aria-invalid')).toBe('true')
  })
})

describe('a case type that was never published', () => {
  beforeEach(() => {
    type = { ...type, version: 0, case_meta: [] }
  })

  it('says what its first version is', async () => {
    draft = { ...theirs(1, 'Referral'), base_version: 0 }
    const { user } = await open()
    expect(screen.getByText(/Not published yet/)).toBeTruthy()
    expect(screen.queryByText(/Everything is published/)).toBeNull()
    await user.click(ask())
    const box = within(await screen.findByRole('dialog', { name: 'Publish version 1' }))
    expect(
      box.getByText(
        /^This is its first version: the case form has 1 group with 3 fields, the issue form is empty\./,
      ),
    ).toBeTruthy()
    expect(box.queryByText(/publishing brings/)).toBeNull()
  })

  it('never says that everything is published, and is deleted after a question', async () => {
    const notices: string[] = []
    const quiet = subscribeToNotices(({ text }) => notices.push(text))
    const { user, of } = await open()
    expect(state()).toBe('There is nothing in it yet.')
    expect(screen.queryByRole('button', { name: 'Discard the draft' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    const box = within(await screen.findByRole('alertdialog'))
    expect(of('DELETE')).toEqual([])
    await user.click(box.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('The list')).toBeTruthy()
    expect(of('DELETE').map(({ path }) => path)).toEqual(['/api/case_types/7'])
    expect(notices).toEqual(['“Advocacy” is deleted'])
    quiet()
  })
})
