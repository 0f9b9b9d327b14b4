import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Automation, FormTest, Outcome } from '../../src/contract/generated.ts'
import {
  announced,
  CASE_META,
  draftSaves,
  openConstructor,
  patches,
  publishButton,
  publishDialog,
  serveConstructor,
  settings,
  stored,
} from './constructorContext.tsx'
import { fakeServer } from './fakeServer.ts'

const URGENT: Automation = {
  name: 'urgent',
  label: 'Urgent case',
  of: 'case',
  when: { is_urgent: 'yes' },
  then: [
    { alert: 'Urgent: {kind}', level: 'danger' },
    { hold: 'close', text: 'It is urgent' },
  ],
}
const CALM: Automation = {
  name: 'no_aim',
  label: 'No aim',
  is_on: false,
  of: 'issue',
  when: { aim: { set: false } },
  then: [{ step: 'Ask for the aim', due: { days: 3 } }],
}

const NOTIFY: Outcome = { notify: ['line_manager'], text: 'Look' }
const IMPACT = 'POST /api/case_types/7/automations/impact'
const RECORDS = 'POST /api/case_types/7/automations/impact/records'

beforeEach(() => {
  serveConstructor()
  fakeServer.use({
    [IMPACT]: {
      data: {
        cases: 132,
        counted: 132,
        automations: [{ name: 'urgent', holds: 12, closed: 3, begins: 2, ends: 1, now: 11 }],
        deadlines: [],
      },
    },
  })
  stored.type = { ...stored.type, automations: [URGENT, CALM] }
})

type User = Awaited<ReturnType<typeof openConstructor>>['user']
const list = () => within(screen.getByRole('region', { name: /^Automations/ }))
const row = (label: string) => list().getByRole('button', { name: new RegExp(`^${label}`) })
const labels = () => [...document.querySelectorAll('.automation-label')].map((e) => e.textContent)
const part = (name: string) => within(settings().getByRole('group', { name }))
const tried = () => within(screen.getByRole('region', { name: 'What follows from these answers' }))
const impactNote = () => document.querySelector('.automation-impact p')?.textContent
const saved = () => draftSaves().at(-1)?.body.automations as Automation[]
const openTab = async () => {
  const opened = await openConstructor()
  await opened.user.click(screen.getByRole('tab', { name: /^Automations/ }))
  await screen.findByRole('heading', { level: 2, name: /^Automations/ })
  return opened
}
const addAutomation = async (user: User, name: string) => {
  await user.click(list().getByRole('button', { name: 'Add an automation' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Name'), name)
  await user.click(dialog.getByRole('button', { name: 'Add' }))
}

describe('the tab of automations', () => {
  it('lists them with what they do, and those that are off', async () => {
    await openTab()
    expect(screen.getByRole('tab', { name: 'Automations 2' })).toBeTruthy()
    expect(row('Urgent case').textContent).toContain('Alert, hold')
    expect(row('No aim').textContent).toContain('Stepoff')
    expect(settings().getByRole('heading', { level: 2 }).textContent).toBe('Urgent case')
    expect(part('show the alert, while it is true').getByLabelText('Text of the alert')).toHaveProperty(
      'value',
      'Urgent: {kind}',
    )
    expect(settings().getByText('Shows ‘Kind’.')).toBeTruthy()
  })

  it('adds one from a name, whose condition looks at the case of an issue', async () => {
    const { user } = await openTab()
    await addAutomation(user, 'Ward is known')
    expect(announced()).toBe('Automation added: Ward is known')
    const when = part('When')
    await user.selectOptions(when.getByLabelText('Field'), 'Ward (of the case)')
    await user.selectOptions(when.getByLabelText('Comparison'), 'has a value')
    await user.click(settings().getByRole('button', { name: 'Add: notify' }))
    const notify = part('notify, once')
    await user.selectOptions(notify.getByLabelText(/Add a receiver/), 'The managers of the hub')
    await user.click(notify.getByRole('button', { name: 'The line manager of the advocate, remove' }))
    await user.selectOptions(notify.getByLabelText('How'), 'at once, by bell and email')
    await waitFor(() =>
      expect(saved()?.at(-1)).toEqual({
        name: 'ward_is_known',
        label: 'Ward is known',
        of: 'issue',
        when: { '$case.ward': { set: true } },
        then: [
          { alert: 'Ward is known', level: 'warning' },
          { notify: ['hub_managers'], text: 'Ward is known', urgent: true },
        ],
      }),
    )
  })

  it('edits a step and a hold with who may pass it', async () => {
    const { user } = await openTab()
    await user.click(row('No aim'))
    await user.click(settings().getByLabelText('Off'))
    const step = part('plan the step, once')
    await user.selectOptions(step.getByLabelText('Days'), 'working days')
    await user.selectOptions(step.getByLabelText('For'), 'who created the record')
    await user.click(settings().getByRole('button', { name: 'Add: hold' }))
    const hold = part('hold, while it is true')
    await user.type(hold.getByLabelText('With'), 'There is no aim')
    await user.selectOptions(hold.getByLabelText(/Let a role pass/), 'Hub Manager')
    const { is_on: _, ...on } = CALM
    await waitFor(() =>
      expect(saved()?.[1]).toEqual({
        ...on,
        then: [
          { step: 'Ask for the aim', due: { working_days: 3 }, for: 'maker' },
          { hold: 'close', text: 'There is no aim', pass: ['HubManager'] },
        ],
      }),
    )
  })

  it('copies, moves and removes one, each a step to undo', async () => {
    const { user } = await openTab()
    await user.click(settings().getByRole('button', { name: 'Copy' }))
    expect(labels()).toEqual(['Urgent case', 'Urgent case (copy)', 'No aim'])
    await user.click(settings().getByRole('button', { name: 'Move down' }))
    expect(labels()).toEqual(['Urgent case', 'No aim', 'Urgent case (copy)'])
    row('Urgent case \\(copy').focus()
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
    expect(announced()).toBe('Urgent case (copy) moved to place 2 of 3')
    await user.click(settings().getByRole('button', { name: 'Remove' }))
    expect(labels()).toEqual(['Urgent case', 'No aim'])
    for (const said of ['removed', 'moved', 'moved', 'copied']) {
      await user.click(screen.getByRole('button', { name: 'Undo' }))
      expect(announced()).toMatch(`Undone: Automation ${said}`)
    }
    expect(labels()).toEqual(['Urgent case', 'No aim'])
  })

  it('says at their place what is missing, and leads there', async () => {
    const { user } = await openTab()
    await addAutomation(user, 'Unfinished')
    await user.click(settings().getByRole('button', { name: 'Add: step' }))
    expect(part('plan the step, once').getByText('Say what is to be done')).toBeTruthy()
    await user.click(screen.getByRole('tab', { name: 'Case form' }))
    await user.click(publishButton())
    await user.click(await screen.findByRole('button', { name: 'Unfinished: Say what is to be done' }))
    expect(settings().getByRole('heading', { level: 2 }).textContent).toBe('Unfinished')
    expect(part('When').getByText(/Choose the field/)).toBeTruthy()
  })

  it('tries what follows from the answers of the preview', async () => {
    const { user } = await openTab()
    expect(tried().getByText('No automation holds with these answers.')).toBeTruthy()
    const pane = within(screen.getByRole('region', { name: 'Try it' }))
    await user.click(pane.getByRole('radio', { name: 'Yes' }))
    await waitFor(() => expect(tried().getByText('Urgent case')).toBeTruthy())
    expect(tried().getByText('Urgent')).toBeTruthy()
    expect(tried().getByText('Hold of closing: It is urgent')).toBeTruthy()
  })

  it('is tried on a record of its case type by its number', async () => {
    fakeServer.use({
      'GET /case/31/': { data: { id: 31, client: 5, case_type: 7, answers: { is_urgent: 'yes' } } },
      'GET /case/32/': { data: { id: 32, client: 5, case_type: 8, answers: { is_urgent: 'yes' } } },
      'GET /case/33/': { status: 404, data: { code: 'not_found' } },
      'GET /client/5/index/': { data: { id: 5 } },
    })
    const { user } = await openTab()
    await user.click(screen.getByRole('button', { name: 'On a record…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Try it on a record' }))
    const tryNumber = async (number: string) => {
      await user.clear(dialog.getByLabelText('Number of the case'))
      await user.type(dialog.getByLabelText('Number of the case'), `${number}{Enter}`)
    }
    await tryNumber('x')
    expect(dialog.getByText('Enter the number of a case')).toBeTruthy()
    await tryNumber('32')
    expect(await dialog.findByText('Case 32 is of another case type')).toBeTruthy()
    await tryNumber('33')
    expect(await dialog.findByText('There is no case 33, or you may not see it')).toBeTruthy()
    await tryNumber('31')
    expect(await dialog.findByText('Hold of closing: It is urgent')).toBeTruthy()
    const pane = within(screen.getByRole('region', { name: 'Try it' }))
    expect(pane.getByText('No automation holds with these answers.')).toBeTruthy()
  })

  it('is kept as a test with what follows', async () => {
    const { user } = await openTab()
    const pane = within(screen.getByRole('region', { name: 'Try it' }))
    await user.click(pane.getByRole('radio', { name: 'Yes' }))
    await user.click(pane.getByRole('button', { name: 'Keep this as a test' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByLabelText('What the test shows'), 'Urgent ones stay open')
    await user.click(dialog.getByRole('button', { name: 'Keep' }))
    await waitFor(() =>
      expect((draftSaves().at(-1)?.body.tests as FormTest[])?.[0].expect).toMatchObject({
        alerts: ['urgent'],
        holds: ['urgent'],
        steps: [],
        notified: [],
      }),
    )
  })

  it('are in words, each with its sentence', async () => {
    const { user } = await openTab()
    await user.click(screen.getByRole('button', { name: 'In words' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Advocacy: automations in words' }))
    expect(dialog.getByText('No aim').closest('li')!.textContent).toBe(
      "No aimSwitched off. When 'Aim' has no value on an issue, open or closed: plan the step “Ask for the aim” once for the advocate, due in 3 days.",
    )
  })

  it('are in the differences before a publication', async () => {
    const { user } = await openTab()
    await user.click(settings().getByLabelText('On'))
    await user.click(publishButton())
    const dialog = await publishDialog()
    await user.click(dialog.getByText('Everything that differs from version 4'))
    const line = dialog.getByText('In use').closest('tr')!
    expect(line.textContent).toBe('AutomationsUrgent caseChangedIn useYesNo')
  })

  it('are imported with the forms, unless two have one name', async () => {
    const { user } = await openTab()
    const choose = (automations: Automation[]) =>
      user.upload(
        screen.getByLabelText('File to import'),
        new File([JSON.stringify({ case_meta: CASE_META, automations })], 'some.json'),
      )
    await choose([URGENT, URGENT])
    expect(await screen.findByText(/Another automation has the name 'urgent' too/)).toBeTruthy()
    expect(labels()).toEqual(['Urgent case', 'No aim'])
    await choose([{ ...URGENT, label: 'Pressing' }])
    await waitFor(() =>
      expect(announced()).toBe('some.json replaced the draft: 1 automation changed, 1 removed'),
    )
    expect(labels()).toEqual(['Pressing'])
  })

  it('say how many records hold them, and again once a condition is changed', async () => {
    const { user } = await openTab()
    await waitFor(() => expect(row('Urgent case').textContent).toContain('holds for 12'))
    expect(impactNote()).toBe('If published now it holds for 12 cases, 3 of them closed; it begins for 2.')
    await user.selectOptions(part('When').getByLabelText('Value'), 'No')
    expect(impactNote()).toBe('If published now Its records are not counted yet.')
    await user.click(settings().getByRole('button', { name: 'Count again' }))
    await waitFor(() => expect(impactNote()).toMatch('it holds for 12 cases'))
    expect(fakeServer.requestsTo(IMPACT).at(-1)?.body).toMatchObject({
      automations: [{ when: { is_urgent: 'no' } }, {}],
    })
  })

  it('say before a publication what they do to records, which people are notified of only by choice', async () => {
    stored.type = { ...stored.type, automations: [{ ...URGENT, then: [...URGENT.then, NOTIFY] }] }
    const { user } = await openTab()
    await user.type(settings().getByLabelText('Name'), '!')
    await user.click(publishButton())
    const dialog = await publishDialog()
    expect(
      await dialog.findByText(
        "'Urgent case!' begins to hold for 2 cases: show the alert, hold closing; notify nobody",
      ),
    ).toBeTruthy()
    expect(dialog.getByText("'Urgent case!' ends for 1 case")).toBeTruthy()
    await user.click(dialog.getByLabelText('Also notify people and plan the steps for these records'))
    expect(dialog.getByText(/: show the alert, hold closing; notify people$/)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Publish version 5' }))
    await waitFor(() => expect(patches().at(-1)?.body).toMatchObject({ fire_events: ['urgent'] }))
  })

  it('notify people after a publication by those that are chosen alone', async () => {
    const other: Automation = { ...URGENT, name: 'other', label: 'Other', then: [NOTIFY] }
    stored.type = { ...stored.type, automations: [{ ...URGENT, then: [...URGENT.then, NOTIFY] }, other] }
    const impact = { holds: 3, closed: 0, begins: 3, ends: 0, now: 0 }
    fakeServer.use({
      [IMPACT]: {
        data: {
          cases: 10,
          counted: 10,
          automations: ['urgent', 'other'].map((name) => ({ name, ...impact })),
          deadlines: [],
        },
      },
    })
    const { user } = await openTab()
    await user.type(settings().getByLabelText('Name'), '!')
    await user.click(await settings().findByRole('button', { name: 'Notify them too…' }))
    const dialog = await publishDialog()
    const choices = within(
      await dialog.findByRole('group', {
        name: 'Also notify people and plan the steps for these records, of',
      }),
    )
    expect(choices.getByLabelText('Urgent case!')).toHaveProperty('checked', true)
    expect(choices.getByLabelText('Other')).toHaveProperty('checked', false)
    expect(dialog.getByText("'Other' begins to hold for 3 cases: notify nobody")).toBeTruthy()
    await user.click(choices.getByLabelText('Other'))
    await user.click(choices.getByLabelText('Urgent case!'))
    await user.click(dialog.getByRole('button', { name: 'Publish version 5' }))
    await waitFor(() => expect(patches().at(-1)?.body).toMatchObject({ fire_events: ['other'] }))
  })

  it('list the records that hold them, each with a link, a page at a time', async () => {
    fakeServer.use({
      [RECORDS]: ({ body }) => ({
        data: body.from
          ? {
              data: [{ case: 4, issue: null, client_name: 'Rhys Abbott', is_open: true, begins: true }],
              next: null,
            }
          : {
              data: [
                { case: 9, issue: 26, client_name: 'Farid Khan', issue_type_label: 'Plan', is_open: false },
              ],
              next: 4,
            },
      }),
    })
    const { user } = await openTab()
    await user.click(await settings().findByRole('button', { name: 'See the 12' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Urgent case: 12 cases' }))
    const issue = await dialog.findByRole('link', { name: 'Issue 26' })
    expect(issue.getAttribute('href')).toBe('/cases/9/issues/26/details')
    expect(issue.closest('li')!.textContent).toBe('Issue 26 Farid Khan, Plan Closed')
    await user.click(dialog.getByRole('button', { name: 'Show more' }))
    const next = await dialog.findByRole('link', { name: 'Case 4' })
    expect(next.closest('li')!.textContent).toBe('Case 4 Rhys Abbott Begins')
    await waitFor(() => expect(document.activeElement).toBe(next))
    expect(fakeServer.requestsTo(RECORDS).at(-1)?.body).toMatchObject({ automation: 'urgent', from: 4 })
  })

  it('lead to a publication that notifies people, of those that begin', async () => {
    stored.type = { ...stored.type, automations: [{ ...URGENT, then: [...URGENT.then, NOTIFY] }] }
    const { user } = await openTab()
    await waitFor(() =>
      expect(impactNote()).toMatch(/begins for 2\. Unless you choose so, nobody is notified\.$/),
    )
    // Nothing is to be published yet.
    expect(settings().queryByRole('button', { name: 'Notify them too…' })).toBeNull()
    await user.type(settings().getByLabelText('Name'), '!')
    await user.click(settings().getByRole('button', { name: 'Notify them too…' }))
    const dialog = await publishDialog()
    const choice = 'Also notify people and plan the steps for these records'
    expect(await dialog.findByLabelText(choice)).toHaveProperty('checked', true)
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await user.click(publishButton())
    expect(await (await publishDialog()).findByLabelText(choice)).toHaveProperty('checked', false)
  })
})
