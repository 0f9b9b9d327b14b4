import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  announced,
  DROP_DRAFT,
  draftSaves,
  fieldOf,
  HOSTILE,
  ISSUE_META,
  inUse,
  OLDER_META,
  openConstructor,
  PUBLISH,
  patches,
  publish,
  publishButton,
  publishDialog,
  publishType,
  row,
  rows,
  SAVE_DRAFT,
  serveConstructor,
  settings,
  stored,
} from './constructorContext.tsx'
import { fakeServer } from './fakeServer.ts'

beforeEach(serveConstructor)

describe('a conflict with a newer version', () => {
  // They removed what is switched off here.
  const theirs = { label: 'Advocacy (theirs)', version: 6, case_meta: OLDER_META }
  const conflict = {
    code: 'conflict',
    message: 'm',
    fields: {},
    by: 'Bob Bell',
    at: '2026-06-04T10:42:00Z',
  }

  async function openConflict() {
    const current = { ...stored.type, ...theirs }
    fakeServer.use({
      [PUBLISH]: (request) =>
        request.body.version === 4 ? { status: 409, data: { ...conflict, current } } : publishType(request),
    })
    const opened = await openConstructor()
    await opened.user.click(inUse('Ward'))
    await publish(opened.user)
    expect(await screen.findByText('Changed by Bob Bell since you opened it')).toBeTruthy()
    return opened
  }

  it('is resolved by theirs', async () => {
    const { user } = await openConflict()
    await user.click(screen.getByRole('button', { name: 'Take theirs' }))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Advocacy (theirs)')
    expect(rows()).not.toContain('Ward')
    expect(screen.queryByText(/Changed by/)).toBeNull()
    expect(patches()).toHaveLength(1)
  })

  it('is resolved by putting both together, which is a draft on top of it', async () => {
    const { user } = await openConflict()
    const conflict = within(await screen.findByRole('radiogroup', { name: /Ward$/ }))
    expect(conflict.getByRole('radio', { name: /^Theirs Removed/ })).toHaveProperty('checked', false)
    await user.click(screen.getByRole('button', { name: 'Merge' }))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Advocacy (theirs)')
    expect(inUse('Ward')).toHaveProperty('checked', false)
    expect(rows()).not.toContain('Kind')
    await waitFor(() =>
      expect(draftSaves().at(-1)?.body).toMatchObject({ base_version: 6, label: 'Advocacy (theirs)' }),
    )
  })

  it('is resolved by publishing mine on top', async () => {
    const { user } = await openConflict()
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
  it('is autosaved after a change, and deleted when the change is undone', async () => {
    const { user } = await openConstructor()
    expect(screen.getByText('Everything is published.')).toBeTruthy()
    await user.click(inUse('Ward'))
    expect(screen.getByText('Saving the draft…')).toBeTruthy()
    expect(await screen.findByText(/^Draft, not published: saved at/)).toBeTruthy()
    expect(draftSaves()).toHaveLength(1)
    expect(draftSaves()[0].body).toMatchObject({ rev: 0, base_version: 4, label: 'Advocacy' })
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Everything is published.')).toBeTruthy()
    await waitFor(() => expect(fakeServer.requestsTo(DROP_DRAFT)).toHaveLength(1))
  })

  it('that was saved before is restored, and can be discarded', async () => {
    stored.draft = {
      rev: 3,
      version: 3,
      base_version: 4,
      label: 'Advocacy 2',
      case_meta: OLDER_META,
      issue_meta: ISSUE_META,
      by: 'Bob Bell',
      at: '2026-06-04T10:42:00Z',
    }
    const { user } = await openConstructor()
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

  it('that another administrator saved meanwhile is a conflict', async () => {
    const theirs = { rev: 9, base_version: 4, label: 'Theirs', case_meta: OLDER_META, issue_meta: ISSUE_META }
    const conflict = {
      code: 'conflict',
      about: 'draft',
      message: 'm',
      current: theirs,
      by: 'Bob Bell',
      at: '2026-06-04T10:42:00Z',
    }
    fakeServer.use({
      [SAVE_DRAFT]: ({ body }) => (body.rev === 9 ? { data: { rev: 10 } } : { status: 409, data: conflict }),
    })
    const { user } = await openConstructor()
    await user.click(inUse('Ward'))
    expect(await screen.findByText('Changed by Bob Bell since you opened it')).toBeTruthy()
    await user.click(screen.getByText('All that differs'))
    expect(screen.getByRole('columnheader', { name: 'Theirs' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Keep mine' }))
    await waitFor(() => expect(draftSaves().at(-1)?.body).toMatchObject({ rev: 9, label: 'Advocacy' }))
  })

  it('that is being saved is waited for before publishing', async () => {
    let arrive = () => {}
    const slow = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const { user } = await openConstructor()
    fakeServer.use({ [SAVE_DRAFT]: () => slow.then(() => ({ data: { rev: 1 } })) })
    await user.click(inUse('Ward'))
    await waitFor(() => expect(draftSaves()).toHaveLength(1))
    await publish(user)
    expect(patches()).toEqual([])
    arrive()
    await waitFor(() => expect(patches()[0]?.body).toMatchObject({ version: 4, rev: 1 }))
  })

  it('that cannot be saved shows so and retries; leaving asks', async () => {
    fakeServer.use({ [SAVE_DRAFT]: { status: 503, data: { message: 'x' } } })
    const { user } = await openConstructor()
    await user.click(inUse('Ward'))
    expect(await screen.findByText(/could not be saved; it is tried again/)).toBeTruthy()
    await user.click(screen.getByRole('link', { name: 'Elsewhere' }))
    expect(await screen.findByText('Warning! You have unsaved changes')).toBeTruthy()
  })
})

describe('publishing', () => {
  it('shows who is affected and what looks wrong, and takes a note', async () => {
    const { user } = await openConstructor()
    await user.click(inUse('Urgent'))
    await user.click(publishButton())
    const box = await publishDialog()
    expect(box.getByText(/^Used by 132 cases and 5 issues/)).toBeTruthy()
    expect(box.getByText(/'Urgent' is switched off: 12 of 132 cases have an answer/)).toBeTruthy()
    expect(box.getByText(/'Why urgent' can never be shown/)).toBeTruthy()
    await user.type(box.getByLabelText('Why (optional)'), 'Nobody asks')
    await user.click(box.getByRole('button', { name: 'Publish version 5' }))
    await waitFor(() => expect(patches()[0].body).toMatchObject({ note: 'Nobody asks', version: 4 }))
  })

  it('keeps the dialog with its note where the server cannot be reached', async () => {
    fakeServer.use({ [PUBLISH]: { status: 0 } })
    const { user } = await openConstructor()
    await user.click(inUse('Urgent'))
    await user.click(publishButton())
    const box = await publishDialog()
    await user.type(box.getByLabelText('Why (optional)'), 'Nobody asks')
    const button = box.getByRole('button', { name: 'Publish version 5' })
    await user.click(button)
    await waitFor(() => expect(patches()).toHaveLength(1))
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('false'))
    expect(box.getByLabelText<HTMLTextAreaElement>('Why (optional)').value).toBe('Nobody asks')
    fakeServer.use({ [PUBLISH]: publishType })
    await user.click(button)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(patches()[1].body).toMatchObject({ note: 'Nobody asks' })
  })

  it('an old version is compared and restored, which can be undone', async () => {
    const { user } = await openConstructor()
    await user.click(screen.getByRole('button', { name: 'History' }))
    expect(await screen.findByText('Asked by the wards')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Compare version 3 with what is published now' }))
    expect(await screen.findByRole('columnheader', { name: 'Version 3' })).toBeTruthy()
    expect(screen.getByRole('columnheader', { name: 'Version 4, published now' })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Restore version 3' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    // 'Kind' was answered since.
    expect(rows()).toEqual(['Referral', 'Urgent', 'Why urgent', 'Kind', 'Other', HOSTILE, 'Either'])
    const words =
      /^Version 3 is in the draft; publish it to put it into use\. .* answer them: 1 field switched off$/
    expect(announced()).toMatch(words)
    expect(screen.getAllByText(words)).toHaveLength(2)
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(rows()).toContain('Ward')
  })
})

describe('a field that saved views search by', () => {
  it('says so in its settings, and before a publication switches it off', async () => {
    const { user } = await openConstructor()
    await user.click(row('Ward'))
    const used = await settings().findByRole('list', { name: 'Where it is used' })
    expect(within(used).getByText('2 saved views search by it')).toBeTruthy()
    await user.click(inUse('Ward'))
    await user.click(publishButton())
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText("'Ward' is switched off, but 2 saved views search by it")).toBeTruthy()
  })
})
