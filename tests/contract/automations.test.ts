import { describe, expect, it } from 'vitest'
import { automationAdvice } from '../../src/constructor/automations/automationAdvice.ts'
import { automationDifferences } from '../../src/constructor/forms/diffDefinitions.ts'
import { coverageOf, describeUncovered, isCovered } from '../../src/constructor/forms/formTestCoverage.ts'
import { mergeByChoices } from '../../src/constructor/forms/mergeConflicts.ts'
import { withReferences } from '../../src/constructor/state/withReferences.ts'
import { automationFields } from '../../src/contract/automations/automationFields.ts'
import { checkAutomations } from '../../src/contract/automations/checkAutomations.ts'
import { becauseOf, describeAutomation } from '../../src/contract/automations/describeAutomation.ts'
import { filledOutcomes } from '../../src/contract/automations/evaluateAutomations.ts'
import { textOfOutcome } from '../../src/contract/automations/outcomes.ts'
import { usesField } from '../../src/contract/automations/usesField.ts'
import { contextOfService } from '../../src/contract/caseType/formTestContext.ts'
import { recordFormTest, updateFormTest } from '../../src/contract/caseType/formTests.ts'
import { runFormTest } from '../../src/contract/caseType/runFormTest.ts'
import type { Automation, FormTest, Outcome } from '../../src/contract/generated.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'
import { contract } from '../loadedContract.ts'
import { field, group, yesno } from './metaBuilders.ts'

const metas = {
  case_meta: [group('one', [yesno('urgent'), field('ward')])],
  issue_meta: [group('two', [yesno('concern'), field('outcome')])],
}
const CONCERN: Automation = {
  name: 'concern',
  label: 'Open concern',
  of: 'issue',
  when: { concern: 'yes', outcome: { set: false } },
  then: [
    { alert: 'Concern', level: 'danger' },
    { notify: ['line_manager', 'group:leads'], text: 'Look', urgent: true },
    { hold: 'close', text: 'No outcome', pass: ['HubManager'] },
  ],
}
const RUSH: Automation = {
  name: 'rush',
  label: 'Rush',
  of: 'issue',
  while: 'open',
  when: { '$case.urgent': 'yes', 'with.client.dod': { set: false } },
  then: [{ step: 'Ring them', due: { working_days: 1 } }],
}
const AUTOMATIONS = [CONCERN, RUSH]
const deps = { validateSchema: ajvValidate, conditionContext: contextOfService(1), automations: AUTOMATIONS }
const as = { today: '2026-06-04' }
const record = (given: object) =>
  recordFormTest(metas.issue_meta, { name: 'A test', meta: 'issue_meta', given: { ...given }, as }, deps)

describe('an automation in words', () => {
  it('says what it looks at, for which records, and what follows', () => {
    expect(describeAutomation(CONCERN, metas)).toBe(
      "When 'Concern' is Yes and 'Outcome' has no value on an issue, open or closed: show the alert “Concern” (danger); notify the line manager of the advocate and the group leads once: “Look”, at once, also by email; hold closing with “No outcome”, which some roles may pass with a reason.",
    )
  })

  it('says who may pass a hold only if somebody may', () => {
    const words = describeAutomation({ ...CONCERN, then: [{ hold: 'close', text: 'Wait', pass: [] }] }, metas)
    expect(words).toMatch(/: hold closing with “Wait”\.$/)
  })

  it('names answers of the case and columns of the client', () => {
    expect(becauseOf(RUSH, metas)).toBe(
      "'Urgent (of the case)' is Yes and 'Date of death (of the client)' has no value",
    )
  })
})

describe('the fields of conditions', () => {
  it('are fields that the check of automations knows, with the lookups of their entities', () => {
    for (const of of ['case', 'issue'] as const)
      for (const [path, { attrs }] of automationFields(of, metas)) {
        const when = { [path]: { set: true } }
        const names = { lookups: contract.lookups, entities: contract.entities }
        expect(checkAutomations([{ ...CONCERN, of, when, then: [] as never }], metas, names)).toEqual([])
        const [entity, column] = path.startsWith('with.client.')
          ? ['client', path.slice('with.client.'.length)]
          : [path.startsWith('$case.') ? 'case' : of, path.split('.')[1]]
        if (attrs?.lookup)
          expect([path, contract.entities[entity].properties[column].lookup]).toEqual([path, attrs.lookup])
      }
  })

  it('of the client are refused if none has that name', () => {
    const wrong = { ...RUSH, when: { 'with.client.dodd': { set: true } } }
    const [problem] = checkAutomations([wrong], metas, { lookups: {}, entities: contract.entities })
    expect(problem.message).toMatch(/'with.client.dodd', but there is no such field; did you mean 'dod'/)
  })
})

it('refuses a second alert of one automation', () => {
  const names = { lookups: {}, entities: contract.entities, roles: ['HubManager'], groups: ['leads'] }
  const messages = (one: Automation) => checkAutomations([one], metas, names).map(({ message }) => message)
  expect(messages(CONCERN)).toEqual([])
  const second = { ...CONCERN, then: [...CONCERN.then, CONCERN.then[0]] as Automation['then'] }
  expect(messages(second)).toEqual([
    'An automation shows at most one alert; make a further automation for the other',
  ])
})

it('warns of an automation that looks at what nobody is asked', () => {
  const off = { ...metas, case_meta: [group('one', [yesno('urgent'), field('ward')], { is_on: false })] }
  const draft = {
    ...off,
    label: 'Care',
    tests: [],
    automations: [...AUTOMATIONS, { ...RUSH, is_on: false as const }],
    deadlines: [],
  }
  expect(automationAdvice(draft)).toEqual([
    "The automation 'Rush' looks at 'Urgent', which is switched off, so it counts as unanswered",
  ])
})

describe('an answer in a text of an automation', () => {
  const forms = {
    ...metas,
    issue_meta: [
      group('two', [yesno('concern'), field('outcome'), field('secret', 'text', { sensitive: true })]),
    ],
  }
  const WAITS: Automation = {
    ...CONCERN,
    then: [
      { alert: 'Concern {{sic}}: {outcome}', level: 'danger' },
      { hold: 'close', text: 'Outcome so far: {outcome}' },
      { step: 'Ask about {outcome}', due: { days: 1 } },
      { notify: ['advocate'], text: 'Now {outcome}' },
    ],
  }
  const textsIn = (then: Automation['then'] | Outcome[]) => then.map(textOfOutcome)

  it('stands where only those read it who see the record', () => {
    expect(textsIn(filledOutcomes(WAITS, forms.issue_meta, { outcome: 'none' }))).toEqual([
      'Concern {sic}: none',
      'Outcome so far: none',
      'Ask about {outcome}',
      'Now {outcome}',
    ])
    expect(textsIn(filledOutcomes(WAITS, forms.issue_meta, {}))[1]).toBe('Outcome so far')
    expect(automationAdvice({ ...forms, label: '', tests: [], automations: [WAITS], deadlines: [] })).toEqual(
      ['step', 'notice'].map(
        (what) =>
          `A ${what} of the automation 'Open concern' has ‘{outcome}’, which stays as it is written: people read it who may not see the record`,
      ),
    )
  })

  it('is that of a field of the form that is not sensitive', () => {
    const problems = ['nobody', 'secret'].flatMap((name) => {
      const one = { ...WAITS, then: [{ hold: 'close', text: `{${name}}` }] as Automation['then'] }
      return checkAutomations([one], forms, { lookups: {} })
    })
    expect(problems).toEqual([
      { path: [0, 'then', 0, 'text'], message: '{nobody} is not a field of this form' },
      { path: [0, 'then', 0, 'text'], message: expect.stringMatching(/in its record only/) },
    ])
  })

  it('follows the name of its field, and counts as a use of it', () => {
    const draft = { ...forms, label: '', tests: [], automations: [WAITS], deadlines: [] }
    const { automations } = withReferences(draft, 'issue_meta', (name) =>
      name === 'outcome' ? 'result' : name,
    )
    expect(textsIn(automations[0].then).slice(0, 2)).toEqual([
      'Concern {{sic}}: {result}',
      'Outcome so far: {result}',
    ])
    const held = { ...WAITS, when: {}, then: [WAITS.then[1]] as Automation['then'] }
    expect(['outcome', 'concern'].map((name) => usesField(held, 'issue_meta', name))).toEqual([true, false])
  })
})

describe('two versions of the automations', () => {
  const version = (...automations: Automation[]) => ({
    ...metas,
    label: 'Care',
    tests: [],
    automations,
    deadlines: [],
  })
  const RENAMED = { ...CONCERN, label: 'Concern' }
  const OFF: Automation = { ...CONCERN, is_on: false }
  const changes = (before: Automation[], after: Automation[]) =>
    automationDifferences(version(...before), version(...after)).map(({ path, change, parts }) => [
      change,
      path[0],
      ...parts.map(({ name, before: was, after: is }) => `${name}: ${was} → ${is}`),
    ])

  it('differ by what was added, changed, moved and removed, with their sentences', () => {
    const sentence = (one: Automation) => describeAutomation(one, metas)
    expect(changes([CONCERN], [RENAMED, RUSH])).toEqual([
      ['changed', 'Concern', 'Name: Open concern → Concern'],
      ['added', 'Rush', 'Name:  → Rush', `What follows:  → ${sentence(RUSH)}`, 'In use:  → Yes'],
    ])
    expect(changes([CONCERN, RUSH], [RUSH, CONCERN])).toEqual([
      ['moved', 'Order', 'Order: Open concern, Rush → Rush, Open concern'],
    ])
    expect(changes([CONCERN], [OFF])).toEqual([['changed', 'Open concern', 'In use: Yes → No']])
    expect(changes([CONCERN, RUSH], [CONCERN])[0].slice(0, 2)).toEqual(['removed', 'Rush'])
  })

  it('of two people are merged by name, and one that both changed is shown with both sentences', () => {
    const at = (...automations: Automation[]) => version(...automations)
    const base = at(CONCERN)
    const added = mergeByChoices({ base, mine: at(CONCERN, RUSH), theirs: at(OFF) })
    expect([added.merged.automations, added.conflicts]).toEqual([[OFF, RUSH], []])
    const both = mergeByChoices(
      { base, mine: at(RENAMED), theirs: at(OFF) },
      { 'automations/concern': 'theirs' },
    )
    expect(both.merged.automations).toEqual([OFF])
    expect(both.conflicts).toMatchObject([
      {
        of: 'automations',
        path: ['Concern'],
        parts: [
          { name: 'Name', before: 'Open concern', after: 'Concern' },
          { name: 'In use', before: 'No', after: 'Yes' },
        ],
      },
    ])
  })
})

describe('a form test', () => {
  it('records the automations that hold with its answers, and says which no longer do', () => {
    const test = record({ concern: 'yes' })
    expect(test.expect).toMatchObject({
      alerts: ['concern'],
      holds: ['concern'],
      steps: [],
      notified: ['concern'],
    })
    expect(runFormTest(metas.issue_meta, test, deps)).toEqual([])
    const { messages } = changed(test, [{ ...CONCERN, when: { concern: 'no' } }, RUSH])
    expect(messages).toEqual([
      "The automation 'Open concern' should show an alert and does not. It holds when 'Concern' is No.",
      "The automation 'Open concern' should hold a call and does not. It holds when 'Concern' is No.",
      "The automation 'Open concern' should notify people and does not. It holds when 'Concern' is No.",
    ])
    expect(changed(test, [RUSH]).messages[0]).toBe("There is no automation 'concern'.")
  })

  it('fails for one that holds and should not, and is updated to what holds now', () => {
    const test = record({ concern: 'no' })
    const always = { ...CONCERN, when: { concern: { set: true } } }
    const { messages, updated } = changed(test, [always])
    expect(messages[0]).toMatch(/^The automation 'Open concern' should not show an alert and does\./)
    expect(updated.expect).toMatchObject({ alerts: ['concern'], holds: ['concern'], notified: ['concern'] })
  })

  it('counts a record as closed if its columns say so, for automations that hold only while it is open', () => {
    const open: Automation = { ...CONCERN, name: 'open', while: 'open' }
    const held = (facts?: FormTest['with']) =>
      recordFormTest(
        metas.issue_meta,
        { name: 'A test', meta: 'issue_meta', given: { concern: 'yes' }, with: facts, as },
        { ...deps, automations: [open] },
      ).expect.alerts
    expect(held()).toEqual(['open'])
    expect(held({ record: { is_opened: true } })).toEqual(['open'])
    expect(held({ record: { is_opened: false } })).toEqual([])
  })

  it('says nothing of automations if its case type has none for the form', () => {
    const { expect: expectation } = recordFormTest(
      metas.case_meta,
      { name: 'A test', meta: 'case_meta', given: {}, as },
      deps,
    )
    expect(Object.keys(expectation)).toEqual(['visible', 'hidden', 'required', 'errors'])
  })

  it('covers the condition of an automation that looks at its form alone', () => {
    const covered = (tests: FormTest[]) =>
      coverageOf({ ...metas, automations: AUTOMATIONS }, tests, deps.conditionContext)
    expect(covered([record({ concern: 'yes' })]).map((one) => describeUncovered(one))).toEqual([
      "The automation 'Open concern' holds when 'Concern' is Yes and 'Outcome' has no value: it holds in every test.",
    ])
    expect(covered([record({ concern: 'yes' }), record({ concern: 'no' })]).every(isCovered)).toBe(true)
  })

  function changed(test: FormTest, automations: Automation[]) {
    const now = { ...deps, automations }
    return {
      messages: runFormTest(metas.issue_meta, test, now).map(({ message }) => message),
      updated: updateFormTest(metas.issue_meta, test, now),
    }
  }
})
