import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Automation, Deadline, FormTest } from '../../src/contract/generated.ts'
import {
  announced,
  CASE_META,
  draftSaves,
  ISSUE_META,
  openConstructor,
  publishButton,
  publishDialog,
  serveConstructor,
  settings,
  stored,
} from './constructorContext.tsx'
import { fakeServer } from './fakeServer.ts'

const CONTACT: Deadline = {
  name: 'contact',
  label: 'First contact',
  of: 'issue',
  from: 'record.start_date',
  within: { working_days: 2 },
  warn: { working_days: 1 },
  met_by: { actions: [1] },
}
const PLAN: Deadline = { name: 'plan', label: 'Plan', is_on: false, of: 'issue', at: 'agreed_on' }
const FORMS = {
  case_meta: CASE_META,
  issue_meta: [
    {
      ...ISSUE_META[0],
      fields: [
        ...ISSUE_META[0].fields,
        { name: 'agreed_on', label: 'Agreed on', type: 'date' as const },
        { name: 'weeks', label: 'Weeks', type: 'integer' as const },
        { name: 'waiting', label: 'Waiting', type: 'yesno' as const },
      ],
    },
  ],
}
const IMPACT = 'POST /api/case_types/7/automations/impact'
const NO_CHANGE = { added: 0, earlier: 0, later: 0, met: 0, gone: 0, turnsLate: 0 }

beforeEach(() => {
  serveConstructor()
  const contact = { ...NO_CHANGE, name: 'contact', open: 188, soon: 6, late: 4, later: 13, turnsLate: 4 }
  fakeServer.use({
    [IMPACT]: { data: { cases: 132, counted: 132, automations: [], deadlines: [contact] } },
  })
  stored.type = { ...stored.type, ...FORMS, deadlines: [CONTACT, PLAN] }
})

type User = Awaited<ReturnType<typeof openConstructor>>['user']
const list = () => within(screen.getByRole('region', { name: /^Deadlines/ }))
const row = (label: string) => list().getByRole('button', { name: new RegExp(`^${label}`) })
const labels = () => [...document.querySelectorAll('.automation-label')].map((e) => e.textContent)
const part = (name: string) => within(settings().getByRole('group', { name }))
const tried = () => within(screen.getByRole('region', { name: 'What is due with these answers' }))
const saved = () => draftSaves().at(-1)?.body.deadlines as Deadline[]
const openTab = async () => {
  const opened = await openConstructor()
  await opened.user.click(screen.getByRole('tab', { name: /^Automations/ }))
  await screen.findByRole('heading', { level: 2, name: /^Deadlines/ })
  return opened
}
const addDeadline = async (user: User, name: string) => {
  await user.click(list().getByRole('button', { name: 'Add a deadline' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Name'), name)
  await user.click(dialog.getByRole('button', { name: 'Add' }))
}

describe('the deadlines of the tab of automations', () => {
  it('are listed with when they are due, how many are late, and which are off', async () => {
    await openTab()
    expect(screen.getByRole('tab', { name: 'Automations 2' })).toBeTruthy()
    expect(row('First contact').textContent).toContain('2 working days after the start date')
    await waitFor(() => expect(row('First contact').textContent).toContain('4 late'))
    expect(row('Plan').textContent).toContain("On 'Agreed on'off")
    expect(document.querySelector('.automation-impact p')?.textContent).toBe(
      'If published now 188 issues have it open: 175 keep their date, 13 come later, 4 become late today.',
    )
  })

  it('are added from a name and edited as one sentence', async () => {
    const { user } = await openTab()
    await addDeadline(user, 'Visit')
    expect(announced()).toBe('Deadline added: Visit')
    const due = part('Due')
    await user.selectOptions(due.getByLabelText('How it is due'), 'again and again')
    expect(part('met by').getByText(/Choose the actions that meet 'Visit'/)).toBeTruthy()
    await user.selectOptions(part('met by').getByLabelText(/Add an action/), 'Visit - client')
    await user.selectOptions(due.getByLabelText('Due: unit'), 'weeks')
    await user.selectOptions(due.getByLabelText('Due: number from'), 'Weeks')
    await user.selectOptions(part('warns').getByLabelText('When it is due soon'), 'before it is due')
    await user.selectOptions(part('warns').getByLabelText('Warning: unit'), 'days')
    await user.selectOptions(part('ends').getByLabelText('Until'), 'after the day in: Agreed on')
    await user.click(part('paused while').getByRole('button', { name: /^Add a condition/ }))
    await user.selectOptions(part('paused while').getByLabelText('Field'), 'Waiting')
    await user.selectOptions(part('paused while').getByLabelText('Value'), 'Yes')
    await user.click(part('only while').getByRole('button', { name: /^Add a condition/ }))
    expect(part('only while').getByText(/Choose the field/)).toBeTruthy()
    await user.click(part('only while').getByRole('button', { name: 'Remove condition 1' }))
    await waitFor(() =>
      expect(saved()?.at(-1)).toEqual({
        name: 'visit',
        label: 'Visit',
        of: 'issue',
        from: 'record.start_date',
        every: { weeks: 'weeks' },
        met_by: { actions: [6] },
        warn: { days: 1 },
        until: 'agreed_on',
        paused: { when: { waiting: 'yes' } },
      }),
    )
  })

  it('become due on a day that is entered, and are switched on', async () => {
    const { user } = await openTab()
    await user.click(row('First contact'))
    await user.selectOptions(part('Due').getByLabelText('How it is due'), 'on a day that is entered')
    await user.selectOptions(part('Due').getByLabelText('The day'), 'Agreed on')
    await user.click(part('met by').getByRole('button', { name: 'Telephone call - client, remove' }))
    await user.selectOptions(part('met by').getByLabelText('or by the day in'), 'Agreed on')
    await user.click(row('Plan'))
    await user.click(settings().getByLabelText('Off'))
    await waitFor(() =>
      expect(saved()).toEqual([
        {
          name: 'contact',
          label: 'First contact',
          of: 'issue',
          at: 'agreed_on',
          warn: { working_days: 1 },
          met_by: { field: 'agreed_on' },
        },
        { name: 'plan', label: 'Plan', of: 'issue', at: 'agreed_on' },
      ]),
    )
    await user.click(publishButton())
    const dialog = await publishDialog()
    expect(dialog.getByText(/'First contact' is met on the day from which it is counted/)).toBeTruthy()
  })

  it('are copied, moved and removed, each a step to undo', async () => {
    const { user } = await openTab()
    await user.click(settings().getByRole('button', { name: 'Copy' }))
    await user.click(settings().getByRole('button', { name: 'Move down' }))
    expect(labels()).toEqual(['First contact', 'Plan', 'First contact (copy)'])
    await user.click(settings().getByRole('button', { name: 'Remove' }))
    expect(labels()).toEqual(['First contact', 'Plan'])
    for (const said of ['removed', 'moved', 'copied']) {
      await user.click(screen.getByRole('button', { name: 'Undo' }))
      expect(announced()).toMatch(`Undone: Deadline ${said}`)
    }
    expect(labels()).toEqual(['First contact', 'Plan'])
  })

  it('say at their place what is missing, and the list of errors leads there', async () => {
    stored.type = { ...stored.type, deadlines: [CONTACT, { ...PLAN, is_on: true, at: 'gone' }] }
    const { user } = await openTab()
    expect(row('Plan').textContent).toContain('has an error')
    await user.click(screen.getByRole('tab', { name: 'Case form' }))
    await user.type(screen.getByLabelText('Name of the case type'), '!')
    await user.click(publishButton())
    await user.click(await screen.findByRole('button', { name: /'Plan' is due on 'gone'/ }))
    expect(settings().getByRole('heading', { level: 2 }).textContent).toBe('Plan')
    expect(part('Due').getByText(/there is no such field/)).toBeTruthy()
  })

  it('lead to an automation for when they are late, whose condition offers their states', async () => {
    const { user } = await openTab()
    await user.click(settings().getByRole('button', { name: 'Say what happens when it is late' }))
    expect(settings().getByRole('heading', { level: 2 }).textContent).toBe('First contact is late')
    expect(part('When').getByLabelText('Field')).toHaveProperty('value', '"deadline.contact"')
    await user.selectOptions(part('When').getByLabelText('Value'), 'due soon')
    await waitFor(() =>
      expect((draftSaves().at(-1)?.body.automations as Automation[])?.[0]).toEqual({
        name: 'first_contact_is_late',
        label: 'First contact is late',
        of: 'issue',
        when: { 'deadline.contact': 'soon' },
        then: [{ notify: ['line_manager'], text: 'First contact is late' }],
      }),
    )
    expect(screen.queryByText('has an error')).toBeNull()
  })

  it('notify people once they are late, by an automation of its own that goes with its last receiver', async () => {
    const { user } = await openTab()
    const automations = () => draftSaves().at(-1)?.body.automations as Automation[]
    const add = () => part('late').getByLabelText('Who is notified when it is late: Add a receiver…')
    await user.selectOptions(add(), 'line_manager')
    await user.selectOptions(add(), 'hub_managers')
    expect(settings().getByRole('heading', { level: 2 }).textContent).toBe('First contact')
    await waitFor(() =>
      expect(automations()).toEqual([
        {
          name: 'first_contact_is_late',
          label: 'First contact is late',
          of: 'issue',
          when: { 'deadline.contact': 'late' },
          then: [{ notify: ['line_manager', 'hub_managers'], text: 'First contact is late' }],
        },
      ]),
    )
    const remove = (name: string) => part('late').getByRole('button', { name: `${name}, remove` })
    await user.click(remove('The line manager of the advocate'))
    await user.click(remove('The managers of the hub'))
    expect(labels()).toEqual(['First contact', 'Plan'])
    await user.selectOptions(
      part('warns').getByLabelText('Who is notified when it is due soon: Add a receiver…'),
      'advocate',
    )
    await user.click(
      part('warns').getByRole('button', { name: 'Open the automation First contact is due soon' }),
    )
    expect(settings().getByRole('heading', { level: 2 }).textContent).toBe('First contact is due soon')
  })

  it('are tried with days and actions by the calendar of bank holidays, and kept as a test', async () => {
    const calendars = { standard: 1, areas: {}, days: { 1: ['2026-06-02'] } }
    stored.type = { ...stored.type, calendars }
    const { user } = await openTab()
    expect(tried().getByText('Not due')).toBeTruthy()
    const set = async (label: string, day: string) => {
      await user.clear(tried().getByLabelText(label))
      await user.type(tried().getByLabelText(label), day)
    }
    await set('Today', '2026-06-03')
    await set('Start date', '2026-06-01')
    expect(tried().getByText('Due soon, due on 4 June 2026')).toBeTruthy()
    await set('Done on', '2026-06-02')
    await user.click(tried().getByRole('button', { name: 'Add the action' }))
    expect(tried().getByText('Met, due on 4 June 2026')).toBeTruthy()
    const pane = within(screen.getByRole('region', { name: 'Try it' }))
    await user.click(pane.getByRole('button', { name: 'Keep this as a test' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByLabelText('What the test shows'), 'A call meets it')
    await user.click(dialog.getByRole('button', { name: 'Keep' }))
    await waitFor(() =>
      expect((draftSaves().at(-1)?.body.tests as FormTest[])?.[0]).toMatchObject({
        with: { record: { start_date: '2026-06-01' }, actions: [{ type: 1, on: '2026-06-02' }] },
        as: { today: '2026-06-03' },
        expect: { deadlines: { contact: { due: '2026-06-04', state: 'met' } } },
      }),
    )
    await user.click(screen.getByText(/^Tests:/))
    await user.click(screen.getByText(/^Answers/))
    expect(screen.getByText('Start date of the record: 1 June 2026')).toBeTruthy()
    expect(await screen.findByText('Telephone call - client on 2 June 2026')).toBeTruthy()
  })

  it('are in words, and in the differences before a publication', async () => {
    const { user } = await openTab()
    await user.click(screen.getByRole('button', { name: 'In words' }))
    const words = within(await screen.findByRole('dialog', { name: 'Advocacy: automations in words' }))
    expect(words.getByText('First contact').closest('li')!.textContent).toBe(
      'First contactDue 2 working days after the start date, once on every issue. Met by Telephone call - client. Due soon from 1 working day before.',
    )
    await user.keyboard('{Escape}')
    await user.clear(part('Due').getByLabelText('Due: number'))
    await user.type(part('Due').getByLabelText('Due: number'), '3')
    await user.click(publishButton())
    const dialog = await publishDialog()
    expect(
      await dialog.findByText("'First contact' on issues: 13 come later, 4 become late today"),
    ).toBeTruthy()
    await user.click(dialog.getByText('Everything that differs from version 4'))
    const line = dialog.getByText('When it is due').closest('tr')!
    expect(line.textContent).toMatch(
      /^DeadlinesFirst contactChangedWhen it is dueDue 2 working.*Due 3 working/,
    )
  })
})
