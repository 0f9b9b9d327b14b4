import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { CaseType, SavedDraft } from '../../src/constructor/state/caseType.ts'
import type { Group } from '../../src/contract/generated.ts'
import {
  draftSaves,
  draftStatus,
  inUse,
  openConstructor,
  PUBLISH,
  preview,
  publishButton,
  row,
  rows,
  SAVE_DRAFT,
  serveConstructor,
  settings,
  stored,
} from './constructorContext.tsx'
import { fakeServer } from './fakeServer.ts'

beforeEach(serveConstructor)

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
const PUBLISHED: CaseType = { id: 7, label: 'Advocacy', service: 1, version: 4, case_meta, issue_meta: [] }
const today = new Date()
today.setHours(10, 42, 0, 0)
const at = today.toISOString()
const by = 'Ann Lee'

beforeEach(() => {
  stored.type = PUBLISHED
  fakeServer.use({
    'GET /api/case_types/7/usage': {
      data: { cases: 3, open_cases: 1, issues: 1, case_meta: { ward: 2 }, issue_meta: {} },
    },
    'GET /api/case_types/7/field_comments/counts': { data: { open: 0, case: {}, issue: {} } },
    'GET /api/case_types/7/versions': () => ({
      data: [stored.type.version, 4].map((version) => ({ version, label: 'x', note: '', by, at })),
    }),
    'GET /api/case_types/7/versions/4': { data: PUBLISHED },
  })
})

const changed = (label: string): Group[] => [{ ...case_meta[0], label }]
const withoutWard = (label: string): Group[] => [
  { ...case_meta[0], label, fields: case_meta[0].fields.slice(1) },
]
const theirs = (rev: number, label: string): SavedDraft => ({
  rev,
  version: rev,
  base_version: stored.type.version,
  label: 'Advocacy',
  case_meta: changed(label),
  issue_meta: [],
  by,
  at,
})

describe('a change by another administrator', () => {
  it('is applied with a status line while there are no unsaved changes', async () => {
    const { user, emitVersions } = await openConstructor()
    stored.draft = theirs(1, 'By Ann')
    await emitVersions()
    await waitFor(() => expect(rows()[0]).toBe('By Ann'))
    expect(draftStatus()).toMatch(
      /^Changed by Ann Lee at 10:42\. Draft, not published: saved at .* by Ann Lee\.$/,
    )
    stored.draft = { rev: 0, version: 2, by, at }
    stored.type = { ...stored.type, version: 5, case_meta: changed('By Ann') }
    await emitVersions()
    await waitFor(() =>
      expect(draftStatus()).toBe('Version 5 was published by Ann Lee at 10:42. Everything is published.'),
    )
    expect(screen.getByText(/Version 5 ·/)).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
    await user.click(inUse('Ward'))
    expect(draftStatus()).toBe('Saving the draft…')
    await waitFor(() => expect(draftSaves()[0]?.body).toMatchObject({ rev: 0, base_version: 5 }))
  })

  it('is not shown for changes that were made here', async () => {
    const { user, emitVersions } = await openConstructor()
    await user.click(inUse('Ward'))
    await waitFor(() => expect(draftStatus()).toMatch(/^Draft, not published/))
    await emitVersions()
    expect(draftStatus()).toMatch(/^Draft, not published/)
    await user.click(publishButton())
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Publish version 5' }),
    )
    await waitFor(() => expect(draftStatus()).toBe('Everything is published.'))
    await emitVersions()
    expect(draftStatus()).toBe('Everything is published.')
  })

  it('is a conflict with unsaved changes, resolved by one choice before publishing', async () => {
    const { user, emitVersions } = await openConstructor()
    fakeServer.use({ [SAVE_DRAFT]: () => new Promise(() => {}) })
    await user.click(inUse('Ward'))
    const focused = document.activeElement
    stored.type = { ...stored.type, version: 5, case_meta: changed('By Ann') }
    stored.draft = { ...theirs(8, 'Later by Ann'), case_meta: withoutWard('Later by Ann'), base_version: 5 }
    await emitVersions()
    await screen.findByText('Changed by Ann Lee since you opened it')
    expect(screen.getByText(/^Version 5 was published/)).toBeTruthy()
    expect(document.activeElement).toBe(focused)
    expect(draftStatus()).toBe('Nothing is saved before you choose between theirs and yours.')
    expect(publishButton().getAttribute('aria-disabled')).toBe('true')
    await user.click(publishButton())
    expect(screen.queryByRole('dialog')).toBeNull()

    fakeServer.use({
      [SAVE_DRAFT]: ({ body }) =>
        body.rev === 8
          ? { data: { rev: 9 } }
          : { status: 409, data: { code: 'conflict', about: 'draft', current: stored.draft } },
    })
    await user.click(screen.getByRole('button', { name: 'Keep mine' }))
    await waitFor(() => expect(draftSaves().at(-1)?.body).toMatchObject({ rev: 8, base_version: 5 }))
    expect(screen.queryByText(/since you opened it/)).toBeNull()
    expect(rows()[0]).toBe('Referral')
  })

  it('is shown when the server refuses to save, with type and draft, and resolved by one choice', async () => {
    const { user, emitVersions } = await openConstructor()
    const newer = { ...theirs(8, 'Later by Ann'), case_meta: withoutWard('Later by Ann'), base_version: 5 }
    fakeServer.use({
      [SAVE_DRAFT]: () => {
        stored.type = { ...stored.type, version: 5, case_meta: changed('By Ann') }
        stored.draft = newer
        return { status: 409, data: { code: 'conflict', current: stored.type, draft: newer, by, at } }
      },
    })
    await user.click(inUse('Ward'))
    await screen.findByText('Changed by Ann Lee since you opened it')
    await user.click(screen.getByRole('button', { name: 'Take theirs' }))
    await emitVersions()
    expect(rows()[0]).toBe('Later by Ann')
    expect(screen.getByText(/Version 5 ·/)).toBeTruthy()
    expect(draftStatus()).toMatch(/^Draft, not published: saved/)
    expect(screen.queryByText(/since you opened it/)).toBeNull()
  })

  it('is put together with unsaved changes of something else, by itself', async () => {
    const { user } = await openConstructor()
    let refused = 0
    fakeServer.use({
      [SAVE_DRAFT]: ({ body }) => {
        if (body.rev === 8) return { data: { rev: 9 } }
        refused++
        return {
          status: 409,
          data: { code: 'conflict', about: 'draft', current: theirs(8, 'By Ann'), by, at },
        }
      },
    })
    await user.click(inUse('Ward'))
    await waitFor(() => expect(rows()[0]).toBe('By Ann'))
    expect(refused).toBe(1)
    expect(inUse('Ward')).toHaveProperty('checked', false)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(draftStatus()).toMatch(/^Changed by Ann Lee at 10:42\. Your changes are merged with theirs\./)
    await waitFor(() => expect(draftSaves().at(-1)?.body).toMatchObject({ rev: 8, label: 'Advocacy' }))
    const [group] = draftSaves().at(-1)!.body.case_meta as Group[]
    expect([group.label, group.fields[0].attrs]).toEqual(['By Ann', { is_on: false }])
    expect(screen.getByRole('button', { name: 'Undo' }).getAttribute('aria-disabled')).toBe('true')
  })

  it('of the same setting is shown with both, and the rest put together', async () => {
    const { user } = await openConstructor()
    const fields = [{ ...case_meta[0].fields[0], label: 'Ward name' }, ...case_meta[0].fields.slice(1)]
    const current = { ...theirs(8, 'By Ann'), case_meta: [{ ...case_meta[0], label: 'By Ann', fields }] }
    fakeServer.use({
      [SAVE_DRAFT]: ({ body }) =>
        body.rev === 8
          ? { data: { rev: 9 } }
          : { status: 409, data: { code: 'conflict', about: 'draft', current, by, at } },
    })
    await user.click(row('Ward'))
    const label = settings().getByLabelText('Label')
    await user.clear(label)
    await user.type(label, 'Ward or unit')
    await user.click(inUse('Bed'))
    const conflict = within(
      await screen.findByRole('radiogroup', { name: 'Case form › By Ann › Ward or unit' }),
    )
    expect(conflict.getByRole('radio', { name: 'Yours Label: Ward or unit' })).toHaveProperty('checked', true)
    await user.click(conflict.getByRole('radio', { name: 'Theirs Label: Ward name' }))
    await user.click(screen.getByRole('button', { name: 'Merge' }))
    expect(rows().slice(0, 3)).toEqual(['By Ann', 'Ward name', 'Bed'])
    expect(inUse('Bed')).toHaveProperty('checked', false)
    expect(screen.queryByRole('alert')).toBeNull()
    await waitFor(() => expect(draftSaves().at(-1)?.body).toMatchObject({ rev: 8 }))
  })

  it('is compared with in the history', async () => {
    const { user, emitVersions } = await openConstructor()
    stored.type = { ...stored.type, version: 5, case_meta: changed('By Ann') }
    stored.draft = { rev: 0, version: 1, by, at }
    await emitVersions()
    await waitFor(() => expect(draftStatus()).toMatch(/^Version 5/))
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
  it('is saved without moving the focus, and marked beside its field', async () => {
    const { user } = await openConstructor()
    await user.click(row('Bed'))
    const shown = within(settings().getByRole('radiogroup', { name: 'Shown' }))
    await user.click(shown.getByLabelText('Only when…'))
    const focused = document.activeElement
    await waitFor(() => expect(draftSaves()).toHaveLength(1))
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

  it('that is refused shows the error at its field, without moving the focus', async () => {
    const { user } = await openConstructor()
    const error = { code: 'badRequest', message: 'm', 'case_meta.0.fields.1.label': ['must be shorter'] }
    fakeServer.use({ [SAVE_DRAFT]: { status: 400, data: error } })
    await user.click(row('Bed'))
    await user.type(settings().getByLabelText('Label'), 's')
    const focused = document.activeElement
    await waitFor(() =>
      expect(draftStatus()).toBe(
        "The draft is not saved: Case form, 'Referral', 'Beds', its label: must be shorter.",
      ),
    )
    expect(document.activeElement).toBe(focused)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(settings().getByText('must be shorter')).toBeTruthy()
  })

  it('that cannot be saved shows why', async () => {
    const { user } = await openConstructor()
    fakeServer.use({ [SAVE_DRAFT]: { status: 503, data: { message: 'x' } } })
    await user.click(inUse('Ward'))
    const words = 'The draft could not be saved; it is tried again. The server answered with an error.'
    await waitFor(() => expect(draftStatus()).toBe(words))
  })
})

describe('a default that its lookup does not offer', () => {
  it('is marked with its label, and shown before publishing', async () => {
    const items = [
      { value: 1, label: 'Informal' },
      { value: 2, label: 'Section 2', active: false },
    ]
    fakeServer.use({ 'GET /section_status_lookup/': { data: items } })
    const { user } = await openConstructor()
    await user.click(row('Section'))
    const list = settings().getByLabelText('Begins as') as HTMLSelectElement
    await waitFor(() => expect(list.selectedOptions[0].textContent).toBe('Section 2 (retired)'))
    const words = "'Section' begins as 'Section 2', which is retired; choose another"
    expect(settings().getByText(words)).toBeTruthy()
    await user.click(inUse('Bed'))
    await user.click(publishButton())
    expect(within(await screen.findByRole('dialog')).getByText(words)).toBeTruthy()
  })
})

describe('a default of a lookup of 5,000 items', () => {
  it('is shown by its name, and another is searched on the server', async () => {
    const all = Array.from({ length: 5000 }, (_, i) => ({ value: 5000 - i, label: `Section ${5000 - i}` }))
    fakeServer.use({
      'GET /section_status_lookup/': ({ query }) => {
        const { id, term } = query as { id?: number[]; term?: string }
        const found = all.filter(
          ({ value, label }) => (id?.includes(value) ?? true) && label.toLowerCase().includes(term ?? ''),
        )
        return { data: found.slice(0, 2000), headers: { 'x-total-count': found.length } }
      },
    })
    const { user } = await openConstructor()
    await user.click(row('Section'))
    const box = () => settings().getByRole<HTMLInputElement>('combobox', { name: 'Begins as' })
    await waitFor(() => expect([box().tagName, box().value]).toEqual(['INPUT', 'Section 2']))
    expect(settings().queryByText(/choose another/)).toBeNull()
    fireEvent.change(box(), { target: { value: 'section 77' } })
    fireEvent.click(await screen.findByRole('option', { name: 'Section 77' }))
    expect(box().value).toBe('Section 77')
    await waitFor(() => expect(JSON.stringify(draftSaves().at(-1)?.body.case_meta)).toContain('"default":77'))
  })
})

describe('the name', () => {
  it('that another case type has is marked at its input', async () => {
    const { user } = await openConstructor()
    const error = { label: ['Another case type of this service is called that'] }
    fakeServer.use({ [PUBLISH]: { status: 400, data: error } })
    await user.type(screen.getByLabelText('Name of the case type'), '2')
    await user.click(publishButton())
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Publish version 5' }),
    )
    await waitFor(() => expect(screen.getAllByText(/^Another case type/)).toHaveLength(2))
    expect(screen.getByLabelText('Name of the case type').getAttribute('aria-invalid')).toBe('true')
  })
})

describe('a case type that was never published', () => {
  beforeEach(() => {
    stored.type = { ...stored.type, version: 0, case_meta: [] }
  })

  it('describes its first version before publishing', async () => {
    stored.draft = { ...theirs(1, 'Referral'), base_version: 0 }
    const { user } = await openConstructor()
    expect(screen.getByText(/Not published yet/)).toBeTruthy()
    expect(screen.queryByText(/Everything is published/)).toBeNull()
    await user.click(publishButton())
    const box = within(await screen.findByRole('dialog', { name: 'Publish version 1' }))
    expect(
      box.getByText(
        /^This is its first version: the case form has 1 group with 3 fields, the issue form is empty\./,
      ),
    ).toBeTruthy()
    expect(box.queryByText(/publishing brings/)).toBeNull()
  })

  it('is not shown as published, and is deleted after a confirmation', async () => {
    const { user, notices } = await openConstructor()
    expect(draftStatus()).toBe('There is nothing in it yet.')
    expect(screen.queryByRole('button', { name: 'Discard the draft' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    const box = within(await screen.findByRole('alertdialog'))
    expect(fakeServer.requestsTo('DELETE /api/case_types/7')).toEqual([])
    await user.click(box.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('The list')).toBeTruthy()
    expect(fakeServer.requestsTo('DELETE /api/case_types/7')).toHaveLength(1)
    expect(notices.map(({ text }) => text)).toEqual(['“Advocacy” is deleted'])
  })
})
