import { describe, expect, it } from 'vitest'
import type { Automation, Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import type { AutomatedType } from '../../src/server/features/automations/automatedTypes.ts'
import type { LoadedCase, StoredState } from '../../src/server/features/automations/loadCases.ts'
import { type HoldingState, stateChanges } from '../../src/server/features/automations/stateChanges.ts'

const form = (label: string): Group[] => [
  {
    name: 'group',
    label: 'Group',
    fields: [
      {
        name: 'concern',
        label,
        type: 'select',
        attrs: { options: [{ value: 'harm', label: `${label}: harm` }] },
      },
    ],
  },
]
const AUTOMATION: Automation = {
  name: 'concern',
  label: 'Open concern',
  of: 'issue',
  when: { concern: { set: true } },
  then: [
    { alert: 'Concern {concern}', level: 'warning' },
    { notify: ['group:managers', 'group:gone'], text: 'Look' },
    { hold: 'close', text: 'It is open', pass: ['Manager', 'Nobody'] },
  ],
}
/** Throws wherever it is evaluated, as one whose condition is unfinished. */
const THROWING: Automation = { ...AUTOMATION, when: null as never }

const typeWith = (...automations: Automation[]): AutomatedType => ({
  id: 3,
  version: 7,
  case_meta: form('Of the case'),
  issue_meta: form('Of the issue'),
  automations,
  deadlines: [],
})
const ACTIVE = 1
const issueOf = (id: number, more: Values = {}) => ({
  id,
  status: ACTIVE,
  is_opened: true,
  answers: { concern: 'harm' },
  ...more,
})
const caseWith = (more: Partial<LoadedCase> = {}): LoadedCase => ({
  database: 'd',
  type: 3,
  version: 7,
  id: 10,
  client: 20,
  caseRow: { id: 10, status: ACTIVE, answers: {} },
  clientRow: { id: 20 },
  issues: [issueOf(30)],
  states: [],
  groupIds: { managers: 2 },
  ...more,
})
const names = { roleId: (name: string) => (name === 'Manager' ? 5 : undefined) }
const changesOf = (loaded: LoadedCase, ...automations: Automation[]) =>
  stateChanges(loaded, typeWith(...automations), names)

/** The stored state that the automation has for an issue while nothing changes. */
const stored = (more: Partial<StoredState> = {}): StoredState => ({
  id: 100,
  issue: 30,
  name: 'concern',
  version: 7,
  label: 'Open concern',
  level: 'warning',
  text: 'Concern Of the issue: harm',
  holds: [{ call: 'close', text: 'It is open', pass: [5] }],
  client: 20,
  groups: [2],
  ...more,
})
const idsOf = (states: HoldingState[]) => states.map(({ id, record }) => [id, record.issue])

describe('the state of an automation', () => {
  it('is added with its alert, its holds, its groups and its reason in words', () => {
    const changes = changesOf(caseWith(), AUTOMATION)
    expect(changes).toEqual({ added: [expect.anything()], changed: [], ended: [], failed: [] })
    const { automation, record, because, ...state } = changes.added[0]
    expect(state).toEqual({
      caseId: 10,
      client: 20,
      type: 3,
      version: 7,
      label: 'Open concern',
      level: 'warning',
      text: 'Concern Of the issue: harm',
      holds: [{ call: 'close', text: 'It is open', pass: [5] }],
      groups: [2],
      isQuiet: false,
    })
    expect([automation, record.issue]).toEqual([AUTOMATION, 30])
    expect(because).toContain('Of the issue')
  })

  it('stays as it is under another version of its case type', () => {
    expect(changesOf(caseWith({ states: [stored({ version: 6 })] }), AUTOMATION)).toEqual({
      added: [],
      changed: [],
      ended: [],
      failed: [],
    })
  })

  it.each<Partial<StoredState>>([
    { client: 21 },
    { label: 'Concern' },
    { level: 'danger' },
    { level: null },
    { text: 'Concern: Burns' },
    { holds: [] },
    { holds: [{ call: 'close', text: 'It is open', pass: [] }] },
    { groups: [] },
  ])('is changed where it was stored with %o', (before) => {
    const changes = changesOf(caseWith({ states: [stored(before)] }), AUTOMATION)
    expect([idsOf(changes.changed), changes.added, changes.ended]).toEqual([[[100, 30]], [], []])
  })

  it('ends with its condition, its issue or its automation, each record by itself', () => {
    const states = [stored(), stored({ id: 101, issue: 31 }), stored({ id: 102, issue: null })]
    const issues = [issueOf(30, { answers: {} }), issueOf(32)]
    const changes = changesOf(caseWith({ states, issues }), AUTOMATION)
    expect(changes.ended).toEqual([100, 101, 102])
    expect(idsOf(changes.added)).toEqual([[undefined, 32]])
    expect(changesOf(caseWith({ states: [stored()] })).ended).toEqual([100])
  })

  it('has the texts of the form of the case if it is of the case', () => {
    const caseRow = { id: 10, status: ACTIVE, answers: { concern: 'harm' } }
    const of = { ...AUTOMATION, of: 'case' as const }
    const { added } = changesOf(caseWith({ caseRow }), of)
    expect(added.map(({ text, record }) => [text, record.issue])).toEqual([
      ['Concern Of the case: harm', null],
    ])
    expect(added[0].because).toContain('Of the case')
  })

  it('has neither alert nor groups without outcomes for these', () => {
    const [, , hold] = AUTOMATION.then
    const { added } = changesOf(caseWith(), { ...AUTOMATION, then: [hold] })
    expect(added[0]).toMatchObject({ level: null, text: null, groups: [], isQuiet: false })
  })

  it('of a retired record is quiet, and only holds the calls that delete or merge', () => {
    const purge = { hold: 'purge', text: 'It is retired' } as const
    const issues = [issueOf(30, { status: 2 })]
    const { added } = changesOf(caseWith({ issues }), { ...AUTOMATION, then: [...AUTOMATION.then, purge] })
    expect(added).toEqual([
      expect.objectContaining({
        level: null,
        text: null,
        groups: [],
        isQuiet: true,
        because: expect.stringContaining('Of the issue'),
        holds: [{ call: 'purge', text: 'It is retired', pass: [] }],
      }),
    ])
    expect(changesOf(caseWith({ issues }), AUTOMATION).added).toEqual([])
  })
})

describe('an automation that throws', () => {
  it('is named as failed, and holds quietly what it would have held', () => {
    const { added, failed, changed, ended } = changesOf(caseWith(), THROWING)
    expect(failed).toEqual([
      {
        caseId: 10,
        client: 20,
        type: 3,
        version: 7,
        automation: THROWING,
        record: expect.objectContaining({ issue: 30 }),
        error: expect.any(Error),
      },
    ])
    expect([changed, ended]).toEqual([[], []])
    expect(added).toEqual([
      expect.objectContaining({
        level: null,
        text: null,
        groups: [],
        because: 'it could not be evaluated',
        holds: [{ call: 'close', text: 'It is open', pass: [5] }],
        isQuiet: true,
      }),
    ])
  })

  it('leaves its stored state as it is', () => {
    const { added, failed, changed, ended } = changesOf(caseWith({ states: [stored()] }), THROWING)
    expect([added, changed, ended, failed.length]).toEqual([[], [], [], 1])
  })

  it('adds no state if it holds nothing, and lets the next one be evaluated', () => {
    const [alert] = THROWING.then
    const { added, failed } = changesOf(caseWith(), { ...THROWING, name: 'other', then: [alert] }, AUTOMATION)
    expect([added.map(({ automation }) => automation.name), failed.length]).toEqual([['concern'], 1])
  })
})
