import { describe, expect, it } from 'vitest'
import { deadlineAdvice } from '../../src/constructor/automations/deadlineAdvice.ts'
import { deadlineDifferences } from '../../src/constructor/forms/diffDefinitions.ts'
import { coverageOf, describeUncovered, isCovered } from '../../src/constructor/forms/formTestCoverage.ts'
import { mergeByChoices } from '../../src/constructor/forms/mergeConflicts.ts'
import { usesOf } from '../../src/contract/caseType/fieldUses.ts'
import { contextOfService } from '../../src/contract/caseType/formTestContext.ts'
import { recordFormTest, updateFormTest } from '../../src/contract/caseType/formTests.ts'
import { runFormTest } from '../../src/contract/caseType/runFormTest.ts'
import type { Deadline, FormTest, FormTestWith } from '../../src/contract/generated.ts'
import { validateSchema } from '../../src/engine/form/store/validateSchema.ts'
import { field, group, yesno } from './metaBuilders.ts'

const REPORT: Deadline = {
  name: 'report',
  label: 'Report',
  of: 'issue',
  from: '$case.consent',
  within: { days: 28 },
  met_by: { field: 'sent' },
  paused: { when: { waiting: 'yes' } },
}
const VISIT: Deadline = {
  name: 'visit',
  label: 'Visit',
  of: 'issue',
  from: 'record.start_date',
  every: { weeks: 6 },
  met_by: { actions: [6] },
}
const metas = {
  case_meta: [group('c', [field('consent', 'date')])],
  issue_meta: [group('i', [field('sent', 'date'), yesno('waiting'), yesno('needed')])],
}
const version = (...deadlines: Deadline[]) => ({
  ...metas,
  label: 'Type',
  tests: [],
  automations: [],
  deadlines,
})
const LATER: Deadline = { ...REPORT, within: { days: 35 } }
const OFF: Deadline = { ...REPORT, is_on: false }

describe('versions of deadlines', () => {
  it('differ by what was added, changed, moved and removed, with their sentences', () => {
    const changes = (before: Deadline[], after: Deadline[]) =>
      deadlineDifferences(version(...before), version(...after)).map(({ path, change, parts }) => [
        change,
        ...path,
        ...parts.map((part) => `${part.name}: ${part.before} → ${part.after}`),
      ])
    const sentence = (days: number) =>
      `Due ${days} days after 'Consent', once on every issue. Met by 'Sent'. Paused while 'Waiting' is Yes.`
    expect(changes([REPORT], [LATER, VISIT]).map((one) => one.slice(0, 3))).toEqual([
      ['changed', 'Report', `When it is due: ${sentence(28)} → ${sentence(35)}`],
      ['added', 'Visit', 'Name:  → Visit'],
    ])
    expect(changes([REPORT], [OFF])).toEqual([['changed', 'Report', 'In use: Yes → No']])
    expect(changes([REPORT, VISIT], [VISIT, REPORT])).toEqual([
      ['moved', 'Order', 'Order: Report, Visit → Visit, Report'],
    ])
    expect(changes([REPORT, VISIT], [REPORT])[0].slice(0, 2)).toEqual(['removed', 'Visit'])
  })

  it('of two people are merged by name, and one that both changed is shown with both sentences', () => {
    const versions = { base: version(REPORT), mine: version(LATER, VISIT), theirs: version(OFF) }
    const { merged, conflicts } = mergeByChoices(versions, { 'deadlines/report': 'theirs' })
    expect(merged.deadlines).toEqual([OFF, VISIT])
    expect(conflicts).toMatchObject([
      { of: 'deadlines', path: ['Report'], parts: [{ name: 'When it is due' }, { name: 'In use' }] },
    ])
  })

  it('count among the uses of the fields that they look at', () => {
    const uses = (meta: 'case_meta' | 'issue_meta', name: string) =>
      usesOf(meta, field(name, 'date', { sensitive: true }), undefined, {
        tests: [],
        deadlines: [REPORT, OFF],
      })
    expect(uses('case_meta', 'consent')).toEqual(['1 deadline looks at it'])
    expect(uses('issue_meta', 'sent')).toEqual(['1 deadline looks at it'])
    expect(uses('issue_meta', 'consent')).toEqual([])
  })

  it('are warned of where they are never due, or can never be met', () => {
    const advice = (...deadlines: Deadline[]) =>
      deadlineAdvice(
        version(...deadlines),
        () => undefined,
        (_, type) => (type === 6 ? 'retired' : 'offered'),
      )
    expect(advice(REPORT, { ...VISIT, met_by: { actions: [6, 7] } })).toEqual([])
    expect(advice(VISIT)).toEqual(["No action that meets the deadline 'Visit' can be chosen any more"])
    expect(advice({ ...REPORT, met_by: undefined })).toEqual([
      "Nothing meets the deadline 'Report', so it stays late until its issue is closed",
    ])
    expect(advice({ ...REPORT, when: { needed: 'yes', any: [{ needed: 'no' }] } })[0]).toMatch(
      /^The deadline 'Report' is never due: .*exclude each other/,
    )
    expect(advice({ ...REPORT, label: 'Report on {sent}' })).toEqual([
      "The deadline 'Report on {sent}' has ‘{sent}’, which stays as it is written: it has one name in all records",
    ])
    expect(advice({ ...VISIT, is_on: false })).toEqual([])
  })
})

describe('a form test of deadlines', () => {
  const deps = { validateSchema, conditionContext: contextOfService(1), deadlines: [REPORT, VISIT] }
  const record = (given: FormTest['given'], facts: FormTestWith) =>
    recordFormTest(
      metas.issue_meta,
      { name: 'Test', meta: 'issue_meta', given, with: facts, as: { today: '2026-06-04' } },
      deps,
    )
  const late = record({}, { case: { consent: '2026-05-01' } })

  it('records when they are due, and says how that differs later', () => {
    expect(late.expect.deadlines).toEqual({ report: { due: '2026-05-29', state: 'late' }, visit: null })
    expect(record({ sent: '2026-05-20' }, late.with!).expect.deadlines!.report!.state).toBe('met')
    expect(record({ waiting: 'yes' }, late.with!).expect.deadlines!.report!.paused).toBe(true)
    const again = { ...deps, deadlines: [{ ...REPORT, within: { days: 60 } }] }
    expect(runFormTest(metas.issue_meta, late, again).map(({ message }) => message)).toEqual([
      "The deadline 'Report' should be late, due on 29 May 2026 and is due on 30 June 2026.",
      "There is no deadline 'visit' of this form.",
    ])
    const updated = updateFormTest(metas.issue_meta, late, again)
    expect(updated.expect.deadlines).toEqual({ report: { due: '2026-06-30', state: 'due' } })
    expect(updated.with).toEqual(late.with)
  })

  it('covers a deadline that it expects, and the condition of its pause where that holds and fails', () => {
    const uncovered = (...tests: FormTest[]) =>
      coverageOf({ ...metas, automations: [], deadlines: [REPORT, VISIT] }, tests, contextOfService(1))
        .filter((one) => !isCovered(one))
        .map((one) => describeUncovered(one))
    expect(uncovered(late)).toEqual([
      "The deadline 'Report' is paused when 'Waiting' is Yes: it does not hold in any test.",
      "The deadline 'Visit' is due: no test expects it.",
    ])
    const waiting = record({ waiting: 'yes' }, late.with!)
    const visited = record(
      {},
      { record: { start_date: '2026-04-01' }, actions: [{ type: 6, on: '2026-05-04' }] },
    )
    expect(visited.expect.deadlines!.visit).toEqual({ due: '2026-06-15', state: 'due' })
    expect(uncovered(late, waiting, visited)).toEqual([])
  })
})
