import { Icons } from '@blueprintjs/icons'
import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Link } from 'react-router-dom'
import Constructor from '../../src/constructor/Constructor.tsx'
import type { CaseType, SavedDraft } from '../../src/constructor/state/caseType.ts'
import type { Field, Group } from '../../src/contract/generated.ts'
import { applyVersionEvents } from '../../src/engine/core/versionEvents.ts'
import { contract } from '../loadedContract.ts'
import { type FakeRequest, fakeServer, type Reply } from './fakeServer.ts'
import { openElement, person } from './open.tsx'
import { lookupHandlers } from './product.ts'

await Icons.load(
  ['undo', 'redo', 'floppy-disk', 'arrow-up', 'arrow-down', 'chevron-down', 'cross', 'warning-sign'],
  16,
)

/** A label with markup, which must be rendered as text. */
export const HOSTILE = '<img src=x onerror="window.bad = 1">'

const field = (
  name: string,
  label: string,
  type: Field['type'] = 'text',
  attrs: Field['attrs'] = {},
): Field => ({
  name,
  label,
  type,
  attrs: { is_on: true, ...attrs },
})
const OPTIONS = [
  { value: 'x', label: 'Ex' },
  { value: 'y', label: 'Why' },
]
export const CASE_META: Group[] = [
  {
    name: 'referral',
    label: 'Referral',
    attrs: { is_on: true },
    fields: [
      field('is_urgent', 'Urgent', 'yesno'),
      field('why_urgent', 'Why urgent', 'text', { when: { is_urgent: 'yes' } }),
      field('ward', 'Ward'),
      field('kind', 'Kind', 'select', { options: OPTIONS }),
    ],
  },
  {
    name: 'other',
    label: 'Other',
    attrs: { is_on: true },
    fields: [
      field('note', HOSTILE, 'text', { help: HOSTILE }),
      field('either', 'Either', 'text', { when: { any: [{ is_urgent: 'yes' }, { kind: 'x' }] } }),
    ],
  },
]
export const ISSUE_META: Group[] = [{ name: 'work', label: 'Work', fields: [field('aim', 'Aim')] }]
/** The same form without 'Ward' and 'Kind'. */
export const OLDER_META: Group[] = [
  { ...CASE_META[0], fields: CASE_META[0].fields.slice(0, 2) },
  CASE_META[1],
]
const PUBLISHED: CaseType = {
  id: 7,
  label: 'Advocacy',
  service: 1,
  version: 4,
  case_meta: CASE_META,
  issue_meta: ISSUE_META,
}
const VERSIONS = [
  { version: 4, label: 'Advocacy', note: 'Asked by the wards', by: 'Bob Bell', at: '2026-06-04T10:42:00Z' },
  { version: 3, label: 'Advocacy', note: '', by: '', at: '2026-06-01T10:42:00Z' },
]

export const PUBLISH = 'PATCH /case_type/7/'
export const GET_DRAFT = 'GET /api/case_types/7/draft'
export const SAVE_DRAFT = 'PUT /api/case_types/7/draft'
export const DROP_DRAFT = 'DELETE /api/case_types/7/draft'

/** The case type and its draft on the fake server; a test may change them before and while the constructor is open. */
export const stored: { type: CaseType; draft: SavedDraft } = { type: PUBLISHED, draft: { rev: 0 } }
const nextVersion = () => (stored.draft.version ?? 0) + 1

export function publishType({ body }: FakeRequest): Reply {
  stored.type = { ...stored.type, ...body, version: Number(body.version) + 1 }
  stored.draft = { rev: 0, version: nextVersion() }
  return { data: stored.type }
}

/** Resets the stored case type and the handlers of the constructor; its test files call it before each test. */
export function serveConstructor(): void {
  stored.type = PUBLISHED
  stored.draft = { rev: 0, version: 0 }
  fakeServer.use({
    ...lookupHandlers,
    'GET /case_type/7/': () => ({ data: stored.type }),
    [PUBLISH]: publishType,
    'DELETE /api/case_types/7': { status: 204 },
    'GET /api/case_types/7/usage': {
      data: {
        cases: 132,
        issues: 5,
        case_meta: { is_urgent: 12, kind: 1 },
        issue_meta: {},
        uses: {
          views: { case_meta: { ward: 2 }, issue_meta: {} },
          uploads: { case_meta: {}, issue_meta: {} },
          publicForms: 0,
        },
      },
    },
    'GET /api/case_types/7/field_comments/counts': { data: { open: 0, case: {}, issue: {} } },
    'POST /api/case_types/7/automations/impact': {
      data: { cases: 132, counted: 132, automations: [], deadlines: [] },
    },
    'POST /api/case_types/7/check': { data: { errors: {}, missing: {} } },
    'GET /api/case_types/7/versions': { data: VERSIONS },
    'GET /api/case_types/7/answer_migrations': { data: [] },
    'GET /api/case_types/7/versions/3': { data: { ...PUBLISHED, version: 3, case_meta: OLDER_META } },
    [GET_DRAFT]: () => ({ data: stored.draft }),
    [SAVE_DRAFT]: ({ body }) => {
      const version = nextVersion()
      stored.draft = { ...body, rev: version, version } as SavedDraft
      return { data: { rev: version } }
    },
    [DROP_DRAFT]: () => {
      stored.draft = { rev: 0, version: nextVersion() }
      return { status: 204 }
    },
  })
}

export async function openConstructor(hash = '') {
  const opened = openElement(<Constructor />, {
    path: '/dashboard/module-constructor/:id',
    at: `/dashboard/module-constructor/7${hash}`,
    contract,
    person: person([1]),
    beside: <Link to="/elsewhere">Elsewhere</Link>,
    more: [{ path: '/dashboard/module-constructor', element: 'The list' }],
  })
  await screen.findByRole('region', { name: 'Structure' })
  /** Applies version events of the stored case type and draft, as the event stream does. */
  const emitVersions = () =>
    act(async () => {
      applyVersionEvents(contract, opened.client, [
        { entity: 'caseType', id: 7, version: stored.type.version },
        { entity: 'caseTypeDraft', id: 7, version: stored.draft.version ?? 0 },
      ])
    })
  return { ...opened, user: userEvent.setup(), emitVersions }
}

export const patches = () => fakeServer.requestsTo(PUBLISH)
export const draftSaves = () => fakeServer.requestsTo(SAVE_DRAFT)

export const structure = () => within(screen.getByRole('region', { name: 'Structure' }))
export const preview = () => within(screen.getByRole('region', { name: 'Preview' }))
export const settings = () => within(document.querySelector<HTMLElement>('.constructor-settings')!)
export const row = (name: string) => structure().getByRole('button', { name: new RegExp(`^${name}`) })
export const rows = () =>
  [...document.querySelectorAll('[data-row] .constructor-title')].map((e) => e.textContent)
export const inUse = (label: string) => structure().getByRole('checkbox', { name: `${label} is in use` })
/** Text of the live region for screen readers. */
export const announced = () => document.querySelector('.constructor > [role=status]')?.textContent
/** The line of the header about the draft. */
export const draftStatus = () => document.querySelector('.constructor-header [role=status]')?.textContent
export const publishButton = () => screen.getByRole('button', { name: 'Publish…' })
export const publishDialog = async () =>
  within(await screen.findByRole('dialog', { name: /^Publish version/ }))
export const publish = async (user: ReturnType<typeof userEvent.setup>) => {
  await user.click(publishButton())
  await user.click((await publishDialog()).getByRole('button', { name: /^Publish version/ }))
}
export const fieldOf = ({ body }: FakeRequest, name: string) =>
  (body.case_meta as Group[]).flatMap((group) => group.fields).find((one) => one.name === name)
