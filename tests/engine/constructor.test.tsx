// @vitest-environment jsdom
import { Icons } from '@blueprintjs/icons'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, Link, RouterProvider } from 'react-router-dom'
import { afterEach, describe, expect, it } from 'vitest'
import Constructor from '../../src/constructor/Constructor.tsx'
import type { CaseType } from '../../src/constructor/caseType.ts'
import { itemLabels } from '../../src/constructor/itemLabels.ts'
import { describeShapeError } from '../../src/constructor/publish/describeShapeError.ts'
import type { Group } from '../../src/contract/generated.ts'
import { subscribeToNotices } from '../../src/engine/runtime/notices.ts'
import { Providers, type Sent, serve } from './formFixtures.tsx'

await Icons.load(['undo', 'redo', 'floppy-disk', 'arrow-up', 'arrow-down', 'chevron-down', 'cross'], 16)

const HOSTILE = '<img src=x onerror="window.bad = 1">'

const caseMeta: Group[] = [
  {
    name: 'referral',
    label: 'Referral',
    attrs: { is_on: true },
    fields: [
      { name: 'is_urgent', label: 'Urgent', type: 'yesno', attrs: { is_on: true } },
      {
        name: 'why_urgent',
        label: 'Why urgent',
        type: 'text',
        attrs: { is_on: true, when: { is_urgent: 'yes' } },
      },
      { name: 'ward', label: 'Ward', type: 'text', attrs: { is_on: true } },
      {
        name: 'kind',
        label: 'Kind',
        type: 'select',
        attrs: {
          is_on: true,
          options: [
            { value: 'x', label: 'Ex' },
            { value: 'y', label: 'Why' },
          ],
        },
      },
    ],
  },
  {
    name: 'other',
    label: 'Other',
    attrs: { is_on: true },
    fields: [
      { name: 'note', label: HOSTILE, type: 'text', attrs: { is_on: true, help: HOSTILE } },
      {
        name: 'either',
        label: 'Either',
        type: 'text',
        attrs: { when: { any: [{ is_urgent: 'yes' }, { kind: 'x' }] } },
      },
    ],
  },
]
const issueMeta: Group[] = [
  {
    name: 'work',
    label: 'Work',
    fields: [{ name: 'aim', label: 'Aim', type: 'text', attrs: { is_on: true } }],
  },
]
const loaded: CaseType = {
  id: 7,
  label: 'Advocacy',
  service: 1,
  version: 4,
  case_meta: caseMeta,
  issue_meta: issueMeta,
}
const usage = { cases: 132, issues: 5, case_meta: { is_urgent: 12, kind: 1 }, issue_meta: {} }

const older: Group[] = [{ ...caseMeta[0], fields: caseMeta[0].fields.slice(0, 2) }, caseMeta[1]]
const versions = [
  { version: 4, label: 'Advocacy', note: 'Asked by the wards', by: 'Bob Bell', at: '2026-06-04T10:42:00Z' },
  { version: 3, label: 'Advocacy', note: '', by: '', at: '2026-06-01T10:42:00Z' },
]

type Patch = (sent: Sent) => unknown
const saved: Patch = ({ body }) => ({ ...loaded, ...body, version: Number(body.version) + 1 })

async function open(
  patch: Patch = saved,
  keep: Patch = ({ body }) => ({ rev: Number(body.rev) + 1 }),
  draft: object = { rev: 0 },
) {
  const sent = serve((one) => {
    if (one.path === '/api/case_types/7/usage') return usage
    if (one.path === '/api/case_types/7/draft')
      return one.method === 'PUT' ? keep(one) : one.method === 'GET' ? draft : [204, '']
    if (one.path === '/api/case_types/7/check') return { errors: {} }
    if (one.path === '/api/case_types/7/versions') return versions
    if (one.path === '/api/case_types/7/versions/3') return { ...loaded, version: 3, case_meta: older }
    if (one.path !== '/case_type/7/') return undefined
    return one.method === 'PATCH' ? patch(one) : structuredClone(loaded)
  })
  const router = createMemoryRouter(
    [
      {
        path: '/dashboard/module-constructor/:id',
        element: (
          <>
            <Constructor />
            <Link to="/elsewhere">Away</Link>
          </>
        ),
      },
      { path: '/elsewhere', element: 'Elsewhere' },
    ],
    { initialEntries: ['/dashboard/module-constructor/7'] },
  )
  render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  )
  await screen.findByRole('region', { name: 'Structure' })
  const of = (method: string) => () => sent.filter((s) => s.method === method)
  return {
    user: userEvent.setup(),
    gets: of('GET'),
    patches: of('PATCH'),
    kept: of('PUT'),
    dropped: of('DELETE'),
  }
}

const structure = () => within(screen.getByRole('region', { name: 'Structure' }))
const preview = () => within(screen.getByRole('region', { name: 'Preview' }))
const settings = () => within(document.querySelector<HTMLElement>('.constructor-settings')!)
const row = (name: string) => structure().getByRole('button', { name: new RegExp(`^${name}`) })
const rows = () => [...document.querySelectorAll('[data-row] .constructor-title')].map((e) => e.textContent)
const ask = () => screen.getByRole('button', { name: 'Publish…' })
const dialog = () => screen.findByRole('dialog', { name: /^Publish version/ })
const publish = async (user: ReturnType<typeof userEvent.setup>) => {
  await user.click(ask())
  await user.click(within(await dialog()).getByRole('button', { name: /^Publish version/ }))
}
const said = () => document.querySelector('.constructor > [role=status]')?.textContent
const metaOf = (sent: Sent) => (sent.body as unknown as CaseType).case_meta
const fieldOf = (sent: Sent, name: string) =>
  metaOf(sent)
    .flatMap((g) => g.fields)
    .find((f) => f.name === name)

afterEach(cleanup)

describe('the constructor', () => {
  it('draws structure and preview, and says who uses it', async () => {
    await open()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Advocacy')
    expect(screen.getByText(/Version 4 · 132 cases and 5 issues use it/)).toBeTruthy()
    expect(rows()).toEqual(['Referral', 'Urgent', 'Why urgent', 'Ward', 'Kind', 'Other', HOSTILE, 'Either'])
    expect(preview().getByLabelText(/^Ward/)).toBeTruthy()
  })

  it('shows hostile labels as the text they are', async () => {
    const { user } = await open()
    await user.click(row('<img'))
    expect(settings().getByRole('heading', { level: 2 }).textContent).toBe(HOSTILE)
    expect(preview().getAllByText(HOSTILE)).toHaveLength(2)
    expect(document.querySelector('.constructor img')).toBeNull()
  })

  it('switches a field and a group off and on; the preview follows', async () => {
    const { user } = await open()
    await user.click(structure().getByRole('checkbox', { name: 'Ward is in use' }))
    await waitFor(() => expect(preview().queryByLabelText(/^Ward/)).toBeNull())
    expect(said()).toBe('Ward is switched off')
    await user.click(structure().getByRole('checkbox', { name: 'Ward is in use' }))
    await waitFor(() => expect(preview().getByLabelText(/^Ward/)).toBeTruthy())
    await user.click(structure().getByRole('checkbox', { name: 'Other is in use' }))
    await waitFor(() => expect(preview().queryByText('Other')).toBeNull())
  })

  it('renames and requires; typed sample answers stay', async () => {
    const { user } = await open()
    await user.type(preview().getByLabelText(/^Ward/), 'Elm')
    await user.click(row('Ward'))
    const label = settings().getByLabelText('Label')
    await user.clear(label)
    expect(settings().getByText('Give this field a label')).toBeTruthy()
    await user.type(label, 'Ward or unit')
    await user.click(settings().getByLabelText('Always, while it is shown'))
    await waitFor(() => {
      const drawn = preview().getByLabelText('Ward or unit') as HTMLInputElement
      expect(drawn.value).toBe('Elm')
    })
    expect(rows()).toContain('Ward or unit')
  })

  it('moves by button and key, across groups, says so and keeps the focus', async () => {
    const { user } = await open()
    await user.click(row('Ward'))
    const up = structure().getByRole('button', { name: 'Move Ward up' })
    await user.click(up)
    expect(rows().slice(0, 5)).toEqual(['Referral', 'Urgent', 'Ward', 'Why urgent', 'Kind'])
    expect(said()).toBe('Ward moved to place 2 of 4 in Referral')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Ward up')

    act(() => row('Kind').focus())
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(rows()).toEqual(['Referral', 'Urgent', 'Ward', 'Why urgent', 'Other', 'Kind', HOSTILE, 'Either'])
    expect(said()).toBe('Kind moved to place 1 of 3 in Other')
    expect(document.activeElement).toBe(row('Kind'))
    await user.keyboard('{ArrowUp}')
    expect(document.activeElement?.textContent).toContain('Other')

    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(rows()[0]).toBe('Other')
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(said()).toBe('Other is already at the top')
  })

  it('adds a choice with options and a condition, and saves it with the version it was opened at', async () => {
    const { user, patches } = await open()
    const notices: string[] = []
    const quiet = subscribeToNotices(({ text }) => notices.push(text))
    await user.click(structure().getByRole('button', { name: 'Add field to Referral' }))
    expect(document.activeElement).toBe(settings().getByLabelText('Label'))
    await user.click(settings().getByRole('button', { name: 'Add field' }))
    expect(settings().getByText('Enter a label for the field')).toBeTruthy()
    expect(settings().getByText('Choose what kind of answer it takes')).toBeTruthy()
    await user.type(settings().getByLabelText('Label'), 'Is urgent')
    await user.click(settings().getByLabelText(/^One choice/))
    await user.click(settings().getByRole('button', { name: 'Add field' }))
    expect(said()).toBe('Is urgent added')

    await user.click(ask())
    expect(patches()).toEqual([])
    const summary = screen.getByRole('alert', { name: 'There is a problem' })
    expect(document.activeElement).toBe(summary)
    expect(within(summary).getByText("Add choices to 'Is urgent', or choose a list for it")).toBeTruthy()

    await user.type(settings().getByLabelText('New choice'), 'Café au lait{Enter}')
    fireEvent.paste(settings().getByLabelText('New choice'), {
      clipboardData: { getData: () => 'Tea\r\n\nTea\nMilk' },
    })
    expect(screen.queryByRole('alert')).toBeNull()

    await user.click(
      within(settings().getByRole('radiogroup', { name: 'Shown' })).getByLabelText('Only when…'),
    )
    expect(settings().getByText(/Choose the field that this condition looks at/)).toBeTruthy()
    await user.selectOptions(settings().getByLabelText('Field'), 'Kind')
    expect(settings().getByText(/Choose a value of 'Kind'/)).toBeTruthy()
    await user.selectOptions(settings().getByLabelText('Comparison'), 'is one of')
    await user.click(within(settings().getByRole('group', { name: 'Value' })).getByLabelText('Why'))
    await waitFor(() => expect(preview().queryByLabelText(/^Is urgent/)).toBeNull())
    expect(preview().getByText('Why? Is urgent is not shown with these sample answers.')).toBeTruthy()
    expect(preview().getByText(/'Kind' is Why/)).toBeTruthy()
    await user.selectOptions(preview().getByLabelText(/^Kind/), 'Why')
    await waitFor(() => expect(preview().getByLabelText(/^Is urgent/)).toBeTruthy())

    await publish(user)
    await waitFor(() => expect(notices).toEqual(['Published as version 5']))
    const [patch] = patches()
    expect(patch.body).toMatchObject({ version: 4, label: 'Advocacy', issue_meta: issueMeta })
    expect(fieldOf(patch, 'is_urgent_2')).toEqual({
      name: 'is_urgent_2',
      label: 'Is urgent',
      type: 'select',
      attrs: {
        is_on: true,
        options: [
          { value: 'cafe_au_lait', label: 'Café au lait' },
          { value: 'tea', label: 'Tea' },
          { value: 'tea_2', label: 'Tea' },
          { value: 'milk', label: 'Milk' },
        ],
        when: { kind: ['y'] },
      },
    })
    expect(await screen.findByText('Everything is published.')).toBeTruthy()
    expect(screen.getByText(/Version 5/)).toBeTruthy()
    await user.click(ask())
    expect(patches()).toHaveLength(1)
    expect(said()).toBe('There is nothing to publish')
    quiet()
  })

  it('undoes and redoes by button and key, a word as one step, and shows what it was', async () => {
    const { user } = await open()
    await user.click(row('Ward'))
    await user.type(settings().getByLabelText('Label'), ' 12')
    await user.click(row('Kind'))
    await user.keyboard('{Control>}z{/Control}')
    expect(rows()).toContain('Ward')
    expect(said()).toBe('Undone: Label, Ward')
    expect(settings().getByRole('heading', { level: 2 }).textContent).toBe('Ward')
    await user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')
    expect(rows()).toContain('Ward 12')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(rows()).toContain('Ward')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(said()).toBe('Nothing to undo')
    await user.click(screen.getByRole('button', { name: 'Redo' }))
    expect(rows()).toContain('Ward 12')
    await user.click(preview().getByLabelText(/^Ward 12/))
    await user.keyboard('x{Control>}z{/Control}')
    expect(rows()).toContain('Ward 12')
  })

  it('says why the type of an answered field cannot change and why it cannot be removed', async () => {
    const { user } = await open()
    await user.click(row('Urgent'))
    expect(settings().queryByLabelText('Type')).toBeNull()
    expect(settings().getByText(/'Urgent' is answered in 12 cases, so its type cannot change/)).toBeTruthy()
    const remove = settings().getByRole('button', { name: 'Remove this field' })
    expect(remove.getAttribute('aria-disabled')).toBe('true')
    await user.click(remove)
    expect(rows()).toContain('Urgent')
    expect(
      settings().getByText("'Urgent' is answered in 12 cases; switch it off instead of removing it."),
    ).toBeTruthy()

    await user.click(row('Kind'))
    expect(settings().queryByRole('button', { name: 'Remove Ex' })).toBeNull()
    await user.click(settings().getByRole('button', { name: 'Retire Ex' }))
    expect(settings().getByText(/Not offered any more/)).toBeTruthy()
    await user.type(settings().getByLabelText('New choice'), 'Zed{Enter}')
    await user.click(settings().getByRole('button', { name: 'Move Zed up' }))
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Zed up')
    await user.click(settings().getByRole('button', { name: 'Remove Zed' }))
    expect(document.activeElement).toBe(settings().getByRole('heading', { level: 2 }))

    await user.click(row('Ward'))
    await user.selectOptions(settings().getByLabelText('Type'), 'Number – a whole number')
    await waitFor(() => expect(preview().getByLabelText(/^Ward/).getAttribute('inputmode')).toBe('numeric'))
    await user.click(settings().getByRole('button', { name: 'Remove this field' }))
    expect(rows()).not.toContain('Ward')
    expect(said()).toBe('Ward removed')
  })

  it('keeps what it cannot build as words, until it is removed', async () => {
    const { user, patches } = await open()
    await user.click(row('Either'))
    expect(settings().getByText("('Urgent' is Yes or 'Kind' is Ex)")).toBeTruthy()
    await user.click(settings().getByRole('button', { name: 'Add to the condition' }))
    await user.selectOptions(settings().getByLabelText('Field'), 'Ward')
    await user.selectOptions(settings().getByLabelText('Comparison'), 'has a value')
    await publish(user)
    await waitFor(() => expect(patches()).toHaveLength(1))
    expect(fieldOf(patches()[0], 'either')?.attrs?.when).toEqual({
      any: [{ is_urgent: 'yes' }, { kind: 'x' }],
      ward: { set: true },
    })
    await user.click(settings().getByRole('button', { name: 'Remove this part of the condition' }))
    expect(settings().queryByText(/'Urgent' is Yes/)).toBeNull()
  })

  it('leads from the summary to the place of a problem in the other form', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('tab', { name: 'Issue form' }))
    expect(rows()).toEqual(['Work', 'Aim'])
    await user.click(row('Aim'))
    await user.clear(settings().getByLabelText('Label'))
    await user.click(screen.getByRole('tab', { name: 'Case form' }))
    await user.click(ask())
    await user.click(screen.getByRole('button', { name: 'Give this field a label' }))
    expect(screen.getByRole('tab', { name: 'Issue form' }).getAttribute('aria-selected')).toBe('true')
    expect(settings().getByText('Give this field a label')).toBeTruthy()
    expect(document.activeElement).toBe(settings().getByRole('heading', { level: 2 }))
  })

  it('lists what the server has against a save', async () => {
    const { user, patches } = await open(() => [400, { 'case_meta.0.fields.2.label': ['Too rude'] }])
    await user.click(row('Ward'))
    await user.type(settings().getByLabelText('Label'), '!')
    await publish(user)
    expect(await screen.findByRole('button', { name: 'Ward!: Too rude' })).toBeTruthy()
    expect(settings().getByText('Too rude')).toBeTruthy()
    expect(patches()).toHaveLength(1)
    await user.type(settings().getByLabelText('Label'), '!')
    expect(screen.queryByText(/Too rude/)).toBeNull()
  })

  it('asks before what is not saved is left', async () => {
    const { user } = await open()
    await user.click(structure().getByRole('checkbox', { name: 'Ward is in use' }))
    await user.click(screen.getByRole('link', { name: 'Away' }))
    expect(await screen.findByText('Warning! You have unsaved changes')).toBeTruthy()
    expect(screen.getByText('The added information will be lost.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Leave' }))
    expect(await screen.findByText('Elsewhere')).toBeTruthy()
  })
})

describe('when somebody else was faster', () => {
  const theirs = { ...loaded, version: 6, label: 'Advocacy (theirs)' }
  const conflict = {
    code: 'conflict',
    message: 'm',
    fields: {},
    current: theirs,
    by: 'Bob Bell',
    at: '2026-06-04T10:42:00Z',
  }

  async function clash() {
    const opened = await open((sent) => (sent.body.version === (4 as never) ? [409, conflict] : saved(sent)))
    await opened.user.click(structure().getByRole('checkbox', { name: 'Ward is in use' }))
    await publish(opened.user)
    expect(await screen.findByText('Changed by Bob Bell since you opened it')).toBeTruthy()
    return opened
  }

  it('takes theirs', async () => {
    const { user, patches } = await clash()
    await user.click(screen.getByRole('button', { name: 'Take theirs' }))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Advocacy (theirs)')
    expect(structure().getByRole('checkbox', { name: 'Ward is in use' })).toHaveProperty('checked', true)
    expect(screen.queryByText(/Changed by/)).toBeNull()
    expect(patches()).toHaveLength(1)
  })

  it('saves mine on top', async () => {
    const { user, patches } = await clash()
    await user.click(screen.getByRole('button', { name: 'Keep mine' }))
    await publish(user)
    await waitFor(() => expect(screen.getByText(/Version 7/)).toBeTruthy())
    expect(patches()).toHaveLength(2)
    expect(patches()[1].body).toMatchObject({ version: 6, label: 'Advocacy' })
    expect(fieldOf(patches()[1], 'ward')?.attrs?.is_on).toBe(false)
    expect(screen.queryByText(/Changed by/)).toBeNull()
  })
})

describe('the draft', () => {
  it('is kept a moment after a change, and dropped when nothing of it is left', async () => {
    const { user, kept, dropped } = await open()
    expect(screen.getByText('Everything is published.')).toBeTruthy()
    await user.click(structure().getByRole('checkbox', { name: 'Ward is in use' }))
    expect(screen.getByText('Saving the draft…')).toBeTruthy()
    expect(await screen.findByText(/^Draft, not published: saved on/)).toBeTruthy()
    expect(kept()).toHaveLength(1)
    expect(kept()[0].body).toMatchObject({ rev: 0, base_version: 4, label: 'Advocacy' })
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Everything is published.')).toBeTruthy()
    await waitFor(() => expect(dropped()).toHaveLength(1))
  })

  it('that was kept before is gone on with, and can be discarded', async () => {
    const draft = {
      rev: 3,
      base_version: 4,
      label: 'Advocacy 2',
      case_meta: older,
      issue_meta: issueMeta,
      by: 'Bob Bell',
      at: '2026-06-04T10:42:00Z',
    }
    const { user } = await open(saved, undefined, draft)
    expect(rows()).not.toContain('Ward')
    expect(screen.getByText(/saved on .* by Bob Bell/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Discard the draft' }))
    const sure = within(await screen.findByRole('alertdialog'))
    expect(sure.getByText(/gone for all administrators/)).toBeTruthy()
    expect(rows()).not.toContain('Ward')
    await user.click(sure.getByRole('button', { name: 'Discard the draft' }))
    expect(rows()).toContain('Ward')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(rows()).not.toContain('Ward')
  })

  it('of somebody who kept another meanwhile is theirs or mine', async () => {
    const theirs = { rev: 9, base_version: 4, label: 'Theirs', case_meta: older, issue_meta: issueMeta }
    const { user, kept } = await open(saved, ({ body }) =>
      body.rev === (9 as never)
        ? { rev: 10 }
        : [
            409,
            {
              code: 'conflict',
              about: 'draft',
              message: 'm',
              current: theirs,
              by: 'Bob Bell',
              at: '2026-06-04T10:42:00Z',
            },
          ],
    )
    await user.click(structure().getByRole('checkbox', { name: 'Ward is in use' }))
    expect(
      await screen.findByText('Changed by Bob Bell since you opened it', {}, { timeout: 5000 }),
    ).toBeTruthy()
    await user.click(screen.getByText('What differs'))
    expect(screen.getByRole('columnheader', { name: 'Theirs' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Keep mine' }))
    await waitFor(() => expect(kept().at(-1)?.body).toMatchObject({ rev: 9, label: 'Advocacy' }), {
      timeout: 5000,
    })
  })

  it('on its way when it is published is waited for', async () => {
    let arrive = () => {}
    const slow = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const { user, patches, kept } = await open(saved, () => slow.then(() => ({ rev: 1 })))
    await user.click(structure().getByRole('checkbox', { name: 'Ward is in use' }))
    await waitFor(() => expect(kept()).toHaveLength(1))
    await publish(user)
    expect(patches()).toEqual([])
    arrive()
    await waitFor(() => expect(patches()[0]?.body).toMatchObject({ version: 4, rev: 1 }))
  })

  it('that cannot be kept says so and tries again; leaving asks', async () => {
    const { user } = await open(saved, () => [503, { message: 'x' }])
    await user.click(structure().getByRole('checkbox', { name: 'Ward is in use' }))
    expect(
      await screen.findByText(/could not be saved; it is tried again/, {}, { timeout: 5000 }),
    ).toBeTruthy()
    await user.click(screen.getByRole('link', { name: 'Away' }))
    expect(await screen.findByText('Warning! You have unsaved changes')).toBeTruthy()
  })
})

describe('before publishing', () => {
  it('says for whom it counts, what looks wrong, and takes a note', async () => {
    const { user, patches } = await open()
    await user.click(structure().getByRole('checkbox', { name: 'Urgent is in use' }))
    await user.click(ask())
    const box = within(await dialog())
    expect(box.getByText(/^Used by 132 cases and 5 issues/)).toBeTruthy()
    expect(box.getByText(/'Urgent' is switched off: 12 of 132 cases have an answer/)).toBeTruthy()
    expect(box.getByText(/'Why urgent' can never be shown/)).toBeTruthy()
    await user.type(box.getByLabelText('Why (optional)'), 'Nobody asks')
    await user.click(box.getByRole('button', { name: 'Publish version 5' }))
    await waitFor(() => expect(patches()[0].body).toMatchObject({ note: 'Nobody asks', version: 4 }))
  })

  it('an old version is compared, taken up, and can be undone', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'History' }))
    expect(await screen.findByText('Asked by the wards')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Compare version 3 with what is published now' }))
    expect(await screen.findByRole('columnheader', { name: 'Version 3' })).toBeTruthy()
    expect(screen.getByRole('columnheader', { name: 'Version 4, published now' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Take up version 3 again' }))
    // 'Kind' was answered since.
    expect(rows()).toEqual(['Referral', 'Urgent', 'Why urgent', 'Kind', 'Other', HOSTILE, 'Either'])
    expect(said()).toMatch(/^Version 3 is in the draft.* records answer them: 1 field switched off$/)
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(rows()).toContain('Ward')
  })
})

describe('items of lists', () => {
  const section = {
    name: 'section',
    label: 'Section',
    type: 'select' as const,
    // Hidden at first, so that the preview does not load it.
    attrs: { lookup: 'section_status', when: { is_urgent: 'yes' } },
  }
  const [first, other] = structuredClone(caseMeta)
  first.fields.push(section)
  first.fields[3].attrs!.when = { section: [2, 999] }
  other.fields[1].attrs!.when = { any: [{ is_urgent: 'yes' }, { section: 1 }] }
  const draft = { rev: 1, base_version: 4, label: 'Advocacy', case_meta: [first, other], issue_meta: [] }
  const words = "'Section' is one of Section 2 - assessment or item 999"

  it('have their labels in every text, and are loaded when one is open that names them', async () => {
    const { user, gets } = await open(saved, () => ({ rev: 2 }), draft)
    const loads = () => gets().filter((one) => one.params.active === false)
    await user.click(row('Ward'))
    expect(loads()).toEqual([])
    await user.click(row('Kind'))
    expect(
      await screen.findByText(`'Kind' is shown only when ${words}; 'Section' is itself hidden.`),
    ).toBeTruthy()
    expect(loads().map((one) => one.path)).toEqual(['/section_status_lookup/'])
    await user.click(row('Either'))
    expect(await settings().findByText("('Urgent' is Yes or 'Section' is Informal)")).toBeTruthy()
    await user.click(ask())
    const box = within(await dialog())
    expect(await box.findByText(new RegExp(`^'Kind' is shown only when ${words} now`))).toBeTruthy()
    expect(box.queryByRole('columnheader', { name: 'Published' })).toBeNull()
    await user.click(box.getByText('Everything that differs from version 4'))
    expect(await box.findByRole('cell', { name: words })).toBeTruthy()
  })

  it('that are called the same are told apart', () => {
    const items = ['Other', 'Ward', 'Other'].map((label, i) => ({ value: i + 1, label }))
    expect([...itemLabels(items).values()]).toEqual(['Other (item 1)', 'Ward', 'Other (item 3)'])
  })
})

describe('files', () => {
  const file = (text: string) => new File([text], 'forms.json', { type: 'application/json' })

  it('are taken as the draft', async () => {
    const { user } = await open()
    await user.upload(
      screen.getByLabelText('File to import'),
      file(JSON.stringify({ case_meta: older, issue_meta: [] })),
    )
    await waitFor(() => expect(rows()).not.toContain('Ward'))
    expect(said()).toBe('forms.json is the draft now')
  })

  it('with a mistake are refused by line, and nothing is lost', async () => {
    const { user } = await open()
    await user.upload(screen.getByLabelText('File to import'), file('{\n  "case_meta": [,]\n}'))
    expect(await screen.findByText('forms.json, line 2, column 17')).toBeTruthy()
    expect(screen.getAllByText(/^The file is not JSON here: value expected/)[0]).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Close' }).closest('.constructor-buttons')).toBeNull()
    expect(rows()).toContain('Ward')
  })

  it.each([
    ['{"name": "x", "pages": []}', 'forms.json, line 1, column 1', /^This is no case type/],
    ['[]', 'forms.json, line 1, column 1', /^This is no case type/],
    [
      '{"issue_meta": [],\n "case_metta": []}',
      'forms.json, line 2, column 2',
      /no 'case_metta'; did you mean 'case_meta'/,
    ],
  ])('that are no case type are refused: %s', async (text, place, message) => {
    const { user } = await open()
    await user.upload(screen.getByLabelText('File to import'), file(text))
    expect(await screen.findByText(place)).toBeTruthy()
    expect(screen.getByText(message)).toBeTruthy()
    expect(rows()).toContain('Ward')
  })

  it('with one form leave the other alone', async () => {
    const { user } = await open()
    await user.upload(screen.getByLabelText('File to import'), file(JSON.stringify({ issue_meta: [] })))
    await waitFor(() => expect(said()).toBe('forms.json is the draft now'))
    expect(rows()).toContain('Ward')
  })

  it('of another shape are refused with the place in words', () => {
    const draft = { case_meta: [{ label: 'Referral', fields: [{ name: 'a' }, {}] }] }
    const words = (path: (string | number)[]) => describeShapeError(draft, path, 'lacks it')
    expect(words(['case_meta', 0, 'fields', 1])).toBe("Case form, 'Referral', field 2: lacks it")
    expect(words(['case_meta', 0, 'attrs', 'when'])).toBe("Case form, 'Referral', its condition: lacks it")
    expect(words(['issue_meta', 3, 'label'])).toBe('Issue form, group 4, its label: lacks it')
    expect(words(['case_meta', 0, 'fields', 1, 'attrs', 'options', 2])).toBe(
      "Case form, 'Referral', field 2, choice 3: lacks it",
    )
  })
})
