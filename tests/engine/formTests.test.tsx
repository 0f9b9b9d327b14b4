import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FormTest } from '../../src/contract/generated.ts'
import {
  announced,
  draftSaves,
  inUse,
  openConstructor,
  patches,
  preview,
  publishButton,
  publishDialog,
  row,
  serveConstructor,
  settings,
  stored,
} from './constructorContext.tsx'
import { fakeServer } from './fakeServer.ts'

const URGENT: FormTest = {
  name: 'Urgent asks why',
  meta: 'case_meta',
  given: { is_urgent: 'yes', kind: 'x' },
  as: { roles: [4], today: '2026-06-04' },
  expect: { visible: ['why_urgent'], required: [], errors: {} },
}
const CALM: FormTest = {
  name: 'Calm asks nothing',
  meta: 'case_meta',
  given: { is_urgent: 'no' },
  as: { today: '2026-06-04' },
  expect: { hidden: ['why_urgent'] },
}

beforeEach(() => {
  serveConstructor()
  stored.type = { ...stored.type, tests: [URGENT, CALM] }
})

const bar = () => document.querySelector<HTMLElement>('.constructor-tests')!
const summary = () => bar().querySelector('[role=status]')?.textContent
const entry = (name: string) => within(within(bar()).getByText(name).closest('li')!)
type User = Awaited<ReturnType<typeof openConstructor>>['user']
const openTests = async (user: User) => {
  await user.click(bar().querySelector('summary')!)
  return within(bar())
}
const nameDialog = async () => within(await screen.findByRole('dialog'))
const tests = () => draftSaves().at(-1)?.body.tests as FormTest[]

describe('the tests of a case type', () => {
  it('say how many pass and which conditions are in none', async () => {
    stored.type = { ...stored.type, tests: [URGENT] }
    await openConstructor()
    await waitFor(() => expect(summary()).toBe('the one there is passes. 2 of 2 conditions are in no test.'))
  })

  it('are listed with what they give, for whom and when', async () => {
    const { user } = await openConstructor()
    await openTests(user)
    const one = entry('Urgent asks why')
    expect(await one.findByText('Passes')).toBeTruthy()
    expect(one.getByText('Case form · as Advocate · on 4 June 2026')).toBeTruthy()
    await user.click(one.getByText('Answers'))
    expect(one.getByText('Urgent: Yes')).toBeTruthy()
    expect(one.getByText('Kind: Ex')).toBeTruthy()
  })

  it('lead to the conditions that are in none', async () => {
    stored.type = { ...stored.type, tests: [URGENT] }
    const { user } = await openConstructor()
    const box = await openTests(user)
    await waitFor(() => expect(box.getByText('Conditions that are in no test')).toBeTruthy())
    await user.click(box.getByText('Conditions that are in no test'))
    await user.click(box.getByRole('button', { name: /^'Either' is shown when/ }))
    expect(settings().getByRole('heading', { level: 2 }).textContent).toContain('Either')
  })

  it('say while somebody edits what fails and why', async () => {
    const { user } = await openConstructor()
    await openTests(user)
    await user.click(inUse('Why urgent'))
    await waitFor(() => expect(summary()).toMatch(/^1 of 2 fails\./))
    const one = entry('Urgent asks why')
    expect(one.getByText('Fails')).toBeTruthy()
    expect(
      one.getByText("'Why urgent' should be shown and is not. 'Why urgent' is switched off."),
    ).toBeTruthy()
    expect(entry('Calm asks nothing').getByText('Passes')).toBeTruthy()
    await user.click(inUse('Why urgent'))
    await waitFor(() => expect(summary()).toMatch(/^all 2 pass\./))
  })

  it('can be updated to what the form does now, renamed and removed, and that undone', async () => {
    const { user } = await openConstructor()
    const box = await openTests(user)
    await user.click(inUse('Why urgent'))
    await user.click(
      await box.findByRole('button', { name: 'Update to what the form does now: Urgent asks why' }),
    )
    await waitFor(() => expect(summary()).toMatch(/^all 2 pass\./))
    expect(announced()).toBe('Test updated: Urgent asks why')
    await user.click(box.getByRole('button', { name: 'Rename: Calm asks nothing' }))
    const dialog = await nameDialog()
    const name = dialog.getByRole('textbox', { name: 'What the test shows' })
    await user.clear(name)
    await user.type(name, 'Urgent asks why{Enter}')
    expect(dialog.getByText('Another test has this name: choose a different one')).toBeTruthy()
    await user.type(name, ' not{Enter}')
    await user.click(box.getByRole('button', { name: 'Remove: Urgent asks why' }))
    expect(announced()).toBe('Test removed: Urgent asks why')
    await waitFor(() => expect(tests()?.map((test) => test.name)).toEqual(['Urgent asks why not']))
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() =>
      expect(tests()).toEqual([
        { ...URGENT, expect: { visible: [], hidden: ['why_urgent'], required: [], errors: {} } },
        { ...CALM, name: 'Urgent asks why not' },
      ]),
    )
  })
})

describe('keeping what the preview shows', () => {
  const keep = () => preview().getByRole('button', { name: 'Keep this as a test' })

  it('asks for a name, and records answers, role and day', async () => {
    const { user } = await openConstructor()
    await user.click(preview().getByRole('radio', { name: 'Yes' }))
    await user.selectOptions(preview().getByRole('combobox', { name: 'As' }), 'Advocate')
    await user.click(keep())
    const dialog = await nameDialog()
    expect(dialog.getByText(/^It checks that the form .* as Advocate on \d/)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Keep' }))
    expect(dialog.getByText('Give the test a name')).toBeTruthy()
    await user.type(dialog.getByRole('textbox'), ' New one {Enter}')
    await waitFor(() => expect(summary()).toMatch(/^all 3 pass\./))
    await waitFor(() => expect(tests()).toHaveLength(3))
    expect(tests()[2]).toEqual({
      name: 'New one',
      meta: 'case_meta',
      given: { is_urgent: 'yes' },
      as: { roles: [4], today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
      expect: { visible: ['is_urgent', 'why_urgent', 'either'], hidden: [], required: [], errors: {} },
    })
  })

  it('is refused where there are a hundred', async () => {
    stored.type = {
      ...stored.type,
      tests: Array.from({ length: 100 }, (_, i) => ({ ...CALM, name: `${i}` })),
    }
    const { user } = await openConstructor()
    await user.click(keep())
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(keep().getAttribute('aria-disabled')).toBe('true')
  })
})

describe('a file', () => {
  const take = async (user: User, content: object) => {
    const file = new File([JSON.stringify(content)], 'forms.json', { type: 'application/json' })
    await user.upload(screen.getByLabelText('File to import'), file)
  }

  it('brings its tests, and leaves them as they are where it has none', async () => {
    const { user } = await openConstructor()
    await take(user, { issue_meta: [], tests: [CALM] })
    await waitFor(() => expect(tests()).toEqual([CALM]))
    await take(user, { issue_meta: [], case_meta: [] })
    await waitFor(() => expect(draftSaves().at(-1)?.body.case_meta).toEqual([]))
    expect(tests()).toEqual([CALM])
    expect(fakeServer.requestsTo('POST /api/case_types/7/check')[0].body).toMatchObject({ tests: [CALM] })
  })

  it('of which a test has another shape is refused with its place', async () => {
    fakeServer.use({
      'POST /api/case_types/7/check': { data: { errors: { 'tests.1.as': ["lacks 'today'"] } } },
    })
    const { user } = await openConstructor()
    await take(user, { tests: [CALM, {}], issue_meta: [] })
    expect(await screen.findByText(/^test 2, 'as': lacks 'today'/)).toBeTruthy()
  })

  it('that is exported has them', async () => {
    const texts: Blob[] = []
    URL.createObjectURL = (blob: Blob) => `blob:${texts.push(blob)}`
    URL.revokeObjectURL = () => {}
    const { user } = await openConstructor()
    await user.click(screen.getByRole('button', { name: 'Export' }))
    expect(JSON.parse(await texts[0].text()).tests).toEqual([URGENT, CALM])
  })
})

describe('publishing while a test fails', () => {
  const change = async (user: User) => {
    await user.click(inUse('Why urgent'))
    await user.click(publishButton())
    return publishDialog()
  }

  it('names test, field and reason, and needs a note and another button', async () => {
    const { user } = await openConstructor()
    const dialog = await change(user)
    expect(dialog.getByText('Urgent asks why')).toBeTruthy()
    expect(
      dialog.getByText("'Why urgent' should be shown and is not. 'Why urgent' is switched off."),
    ).toBeTruthy()
    expect(dialog.queryByText('Calm asks nothing')).toBeNull()
    expect(dialog.queryByRole('button', { name: /^Publish version/ })).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Publish anyway' }))
    expect(dialog.getByText('Say why it is published although a test fails')).toBeTruthy()
    expect(patches()).toHaveLength(0)
    const reason = dialog.getByRole('textbox', { name: 'Why publish although a test fails' })
    expect(document.activeElement).toBe(reason)
    await user.type(reason, ' Nobody asks any more ')
    await user.click(dialog.getByRole('button', { name: 'Publish anyway' }))
    await waitFor(() => expect(patches()).toHaveLength(1))
    expect(patches()[0].body).toMatchObject({ publish_anyway: 'Nobody asks any more', tests: [URGENT, CALM] })
  })

  it('says nothing of tests that pass', async () => {
    const { user } = await openConstructor()
    await user.click(inUse('Ward'))
    await user.click(publishButton())
    const dialog = await publishDialog()
    expect(dialog.queryByText('Tests that fail')).toBeNull()
    await user.click(dialog.getByRole('button', { name: /^Publish version/ }))
    await waitFor(() => expect(patches()).toHaveLength(1))
    expect(patches()[0].body).not.toHaveProperty('publish_anyway')
  })

  it('shows what the server finds to fail', async () => {
    const message = "Test 'Calm asks nothing' fails: 'Ward' should be shown and is not."
    fakeServer.use({ 'PATCH /case_type/7/': { status: 400, data: { 'tests.1': [message] } } })
    const { user } = await openConstructor()
    await user.click(inUse('Ward'))
    await user.click(publishButton())
    await user.click((await publishDialog()).getByRole('button', { name: /^Publish version/ }))
    expect(await screen.findByText(message)).toBeTruthy()
  })
})

describe('what was published', () => {
  it('shows why it was published although tests failed, and which tests differ', async () => {
    fakeServer.use({
      'GET /api/case_types/7/versions': {
        data: [
          {
            version: 4,
            note: '',
            published_anyway: 'Out of date',
            by: 'Bob Bell',
            at: '2026-06-04T10:42:00Z',
          },
          { version: 3, note: '', published_anyway: '', by: '', at: '2026-06-01T10:42:00Z' },
        ],
      },
      'GET /api/case_types/7/versions/3': {
        data: {
          ...stored.type,
          version: 3,
          tests: [
            { ...CALM, given: {} },
            { ...CALM, name: 'Old' },
          ],
        },
      },
    })
    const { user } = await openConstructor()
    await user.click(screen.getByRole('button', { name: 'History' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('Published although tests failed: Out of date')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: /^Compare version 3/ }))
    for (const words of [
      "Test 'Urgent asks why' is added.",
      "Test 'Calm asks nothing' is changed.",
      "Test 'Old' is removed.",
    ])
      expect(await dialog.findByText(words)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Restore version 3' }))
    await waitFor(() => expect(tests()?.map(({ name }) => name)).toEqual(['Calm asks nothing', 'Old']))
    expect(row('Ward')).toBeTruthy()
  })
})
