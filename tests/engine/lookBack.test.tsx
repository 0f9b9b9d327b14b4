import { describe, expect, it } from 'vitest'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import { followersOf } from '../../src/contract/followers.ts'
import type { Field, FieldAttrs, Group, WizardScreen } from '../../src/contract/generated.ts'
import { outsideFields } from '../../src/contract/meta/outsideFields.ts'
import type { SeenValues } from '../../src/contract/seen.ts'
import { seenPathsOf } from '../../src/contract/seenPaths.ts'
import { evaluate } from '../../src/contract/visible.ts'
import { type Values, valueAt } from '../../src/contract/when.ts'
import { slicesOf } from '../../src/engine/form/store/slices.ts'
import { validateForm } from '../../src/engine/form/store/validateForm.ts'
import { seenAtSteps } from '../../src/engine/kinds/wizard/seenAtSteps.ts'
import { ajvValidate } from '../../src/server/core/ajvValidate.ts'
import { type Random, seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'
import { contract } from '../loadedContract.ts'

const PATHS = ['$client.age', '$case.points', '$last.points', '$last.f1', '$last.f2']
const COUNT = FULL ? 5000 : 100

/** A form whose fields look at each other, at values outside, or at both, also in rows. */
function formOf(random: Random): Group[] {
  const names: string[] = []
  const path = () => random.pick([...PATHS, ...PATHS, ...names, ...names])
  const when = () => ({
    [path()]: random.pick([{ min: 3 }, { not: [2, 5] }, { set: true }, { max: { path: path() } }, 4]),
  })
  const attrs = (): FieldAttrs =>
    random.pick<FieldAttrs>([
      {},
      { when: when() },
      { required_when: when() },
      { checks: [{ when: when(), message: 'No' }] },
      { calc: 'sum', of: [path(), path()] },
      { calc: 'subtract', of: [path(), 1] },
      { default: { from: random.pick(PATHS) } },
      { hidden: true, default: { from: random.pick(PATHS) }, when: when() },
    ])
  const field = (name: string): Field => {
    const one: Field = { name, label: name, type: 'integer', attrs: attrs() }
    names.push(name)
    return one
  }
  const column = (name: string): Field => ({
    name,
    label: name,
    type: 'integer',
    attrs: random.chance(0.5) ? { when: when() } : {},
  })
  const fields = Array.from({ length: random.between(3, 8) }, (_, i) => field(`f${i}`))
  const rows: Field = { name: 'rows', label: 'Rows', type: 'repeat', fields: [column('c1'), column('c2')] }
  return [
    { name: 'g', label: 'G', attrs: random.chance(0.2) ? { when: when() } : {}, fields: [...fields, rows] },
  ]
}

function answersTo(groups: Group[], random: Random): Values {
  const some = groups[0].fields.filter(
    ({ type, attrs }) => type === 'integer' && !attrs?.calc && !attrs?.hidden && random.chance(0.5),
  )
  const row = () => ({ row: `r${random.between(1, 99)}`, c1: random.between(0, 6), c2: random.between(0, 6) })
  return { ...Object.fromEntries(some.map(({ name }) => [name, random.between(0, 6)])), rows: [row(), row()] }
}

function seenOf(groups: Group[], random: Random): SeenValues {
  return Object.fromEntries(
    seenPathsOf(groups).map((path) => [
      path,
      { value: random.chance(0.3) ? null : random.between(0, 6), day: '2026-05-03' },
    ]),
  )
}

const today = '2026-06-01'

describe(`${COUNT} generated forms that look outside`, () => {
  it('show, calculate and refuse the same in the browser and on the server', () => {
    const random = seeded(36)
    for (let n = 0; n < COUNT; n++) {
      const groups = formOf(random)
      const answers = answersTo(groups, random)
      const seen = { values: seenOf(groups, random), fields: new Map<string, Field>() }
      const sections = [{ key: 's', at: 'answers', groups }]
      const browserContext = { seenAt: { answers: seen }, withDefaults: true }
      const [{ groups: inBrowser, conditionContext }] = slicesOf(sections, { answers }, browserContext)
      const shown = evaluate(inBrowser, { ...conditionContext, today })
      const errors = validateForm(sections, { answers }, { ...browserContext, today })
      const server = applyChanges({
        groups,
        stored: {},
        hidden: {},
        sent: answers,
        conditionContext: { seen, withDefaults: true },
        validateSchema: ajvValidate,
        today,
        all: true,
      })
      const names = new Set(shown.groups.flatMap((group) => group.fields.map(({ name }) => name)))
      const inPage = Object.fromEntries(
        Object.entries(shown.answers).filter(
          ([name, value]) => names.has(name) && name !== 'rows' && value !== undefined,
        ),
      )
      const { rows: _, ...values } = server.values
      expect([
        n,
        inPage,
        Object.keys(errors)
          .map((path) => path.replace('answers.', ''))
          .sort(),
      ]).toEqual([n, values, Object.keys(server.errors).sort()])
    }
  })

  it('show nothing that differs with a value to those who may not see what follows from it', () => {
    const random = seeded(67)
    for (let n = 0; n < COUNT; n++) {
      const groups = formOf(random)
      const answers = answersTo(groups, random)
      const values = seenOf(groups, random)
      const last = Object.keys(values).filter((path) => path.startsWith('$last.'))
      const followers = followersOf(groups, last)
      const readable = (change: SeenValues) => {
        const context = {
          seen: { values: { ...values, ...change }, fields: new Map<string, Field>() },
          today,
        }
        const found = applyChanges({
          groups,
          stored: answers,
          hidden: {},
          sent: {},
          conditionContext: context,
          validateSchema: ajvValidate,
          today,
          all: true,
        })
        const own = (all: Values) =>
          Object.fromEntries(Object.entries(all).filter(([name]) => !followers.has(name.split('.')[0])))
        return [own(found.values), own(found.hidden), own(found.errors)]
      }
      const others = last.map((path) => [path, { value: random.between(0, 6) }])
      expect(readable(Object.fromEntries(others))).toEqual(readable({}))
    }
  })
})

describe('a value from outside', () => {
  const form: Group[] = [
    {
      name: 'g',
      label: 'G',
      fields: [
        {
          name: 'risk',
          label: 'Risk',
          type: 'select',
          attrs: { options: [{ value: 'h', label: 'High' }], help: 'Before: {$last.risk}' },
        },
        { name: 'age', label: 'Age', type: 'integer', attrs: { calc: 'age_at', of: ['day', '$today'] } },
        { name: 'day', label: 'Day', type: 'date' },
        { name: 'secret', label: 'Secret', type: 'text', attrs: { sensitive: true } },
      ],
    },
  ]
  const fields = outsideFields('issue_meta', { case_meta: form, issue_meta: form }, {})

  it('is one that is stored and that everybody reads who reads its record', () => {
    const names = [...fields.keys()].filter((path) => !path.startsWith('$case.') || path === '$case.risk')
    expect(names).toEqual(['$case.risk', '$last.risk', '$last.day'])
  })

  it('stands in a text with its day, or with why it is missing', () => {
    const helpWith = (values: SeenValues) =>
      evaluate(form, { seen: { values, fields } }).groups[0].fields[0].attrs!.help
    expect(helpWith({ '$last.risk': { value: 'h', record: 1, day: '2026-05-03' } })).toBe(
      'Before: High, 3 May 2026',
    )
    expect(helpWith({ '$last.risk': { value: null, isWithheld: true } })).toBe(
      'Before: from a record you cannot see',
    )
    expect(helpWith({})).toBe('Before: …')
  })

  it('is the one that was seen, else that of the record, of its answers first', () => {
    const records = { client: { dob: '2000-01-01' }, case: { ward: 'A', answers: { ward: 'B' } } }
    expect(valueAt('$client.dob', { with: records })).toBe('2000-01-01')
    expect(valueAt('$case.ward', { with: records })).toBe('B')
    const seen = { values: { '$client.dob': { value: null } }, fields }
    expect(valueAt('$client.dob', { with: records, seen })).toBeNull()
  })

  it('says where a start value comes from until somebody answers', () => {
    const groups: Group[] = [
      {
        name: 'g',
        label: 'G',
        fields: [
          { name: 'carer', label: 'Carer', type: 'text', attrs: { default: { from: '$last.carer' } } },
        ],
      },
    ]
    const seen = { values: { '$last.carer': { value: 'Rose', day: '2026-05-03' } }, fields }
    const begun = evaluate(groups, { seen, withDefaults: true })
    expect([begun.answers.carer, begun.groups[0].fields[0].attrs!.help]).toEqual([
      'Rose',
      'From last time, 3 May 2026.',
    ])
    const answered = evaluate(groups, { seen, withDefaults: true, answers: { carer: 'Tom' } })
    expect([answered.answers.carer, answered.groups[0].fields[0].attrs!.help]).toEqual(['Tom', undefined])
  })
})

describe('the wizard of a new case', () => {
  const screen = contract.screens['new-case'] as WizardScreen
  const select: Field = { name: 'setting', label: 'Setting', type: 'text' }
  const metas = {
    case_meta: [
      {
        name: 'home',
        label: 'Home',
        fields: [select, { ...select, name: 'ward', attrs: { when: { setting: 'hospital' } } }],
      },
    ],
    issue_meta: [
      {
        name: 'g',
        label: 'G',
        attrs: {
          when: {
            any: [
              { '$case.setting': 'x' },
              { '$case.ward': 'x' },
              { '$last.risk': 'x' },
              { '$case.contract': 3 },
            ],
          },
        },
        fields: [{ name: 'risk', label: 'Risk', type: 'text' }],
      },
    ],
  } satisfies Record<string, Group[]>
  const seenWith = (answers: Values) => {
    const document = { case_type: 1, case: { contract: 3, answers }, issue: {} }
    const last = {
      case_meta: {},
      issue_meta: { '$last.risk': { value: 'low', record: 4, day: '2026-05-03' } },
    }
    const context = { with: { caseType: metas, case: document, client: {}, last }, withDefaults: true }
    return seenAtSteps(contract, screen, context, document)!['issue.answers'].values
  }

  it('shows the issue what the form of the case shows, and the last issue', () => {
    const inHospital = seenWith({ setting: 'hospital', ward: 'A' })
    expect(
      ['$case.setting', '$case.ward', '$case.contract', '$last.risk'].map((path) => inHospital[path].value),
    ).toEqual(['hospital', 'A', 3, 'low'])
    expect(seenWith({ setting: 'home', ward: 'A' })['$case.ward'].value).toBeNull()
  })
})
