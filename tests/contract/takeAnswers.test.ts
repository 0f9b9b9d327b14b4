import { describe, expect, it } from 'vitest'
import type { Draft } from '../../src/constructor/state/caseType.ts'
import {
  changeType,
  mergeChoice,
  nameNewFields,
  renamedBefore,
  renameField,
  setTaken,
  splitField,
} from '../../src/constructor/state/takeAnswers.ts'
import { linesOfBands, readTakenBands, setTakenBands } from '../../src/constructor/state/takenBands.ts'
import { movesOf, reverseMoves, withoutTakes } from '../../src/contract/answerMigration/answerMoves.ts'
import { convertAnswer } from '../../src/contract/answerMigration/convertAnswer.ts'
import { translateAnswers } from '../../src/contract/answerMigration/translateAnswers.ts'
import type { Deadline, Field, FormTest } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { fieldsByName } from '../../src/contract/meta/places.ts'
import type { When } from '../../src/contract/when.ts'
import { choice, field, group, repeat, visibleWhen, yesno } from './metaBuilders.ts'

const BEFORE = [
  group('g', [
    yesno('old_5'),
    visibleWhen('asked', { old_5: 'yes' }),
    { ...field('said'), label: 'Said of {old_5}' },
    choice('home', ['council', 'housing', 'own']),
    visibleWhen('rent', { home: ['council', 'housing'] }),
  ]),
]
const DEADLINE: Deadline = {
  name: 'd',
  label: 'D',
  of: 'issue',
  from: '$case.old_5',
  when: { '$case.old_5': 'yes', old_5: { not: { path: '$case.old_5' } } },
}
const DRAFT: Draft = {
  label: 'Type',
  case_meta: BEFORE,
  issue_meta: [],
  tests: [
    {
      name: 't',
      meta: 'case_meta',
      given: { old_5: 'yes' },
      as: { today: '2026-01-01' },
      expect: { visible: ['old_5', 'asked'], errors: { old_5: 'x' } },
    },
  ],
  automations: [
    {
      name: 'a',
      label: 'A',
      of: 'case',
      when: { old_5: 'yes' },
      then: [{ alert: 'See {old_5}', level: 'info' }],
    },
  ],
  deadlines: [DEADLINE],
}
const FORM = { meta: 'case_meta' as const, before: BEFORE }
const problems = (draft: Draft) =>
  checkMeta(
    draft,
    { lookups: {} },
    {
      meta: { case_meta: BEFORE, issue_meta: [] },
      usage: { case_meta: { old_5: 3, home: 3, said: 1 }, issue_meta: {} },
    },
  ).map(({ message }) => message)
const named = (draft: Draft, name: string) => fieldsByName(draft.case_meta).get(name)

describe('a field in use', () => {
  it('gets another stored name together with everything that refers to it', () => {
    const { draft, address } = renameField(DRAFT, FORM, ['g', 'old_5'], 'new')
    expect(address).toEqual(['g', 'new'])
    expect(named(draft, 'new')?.attrs?.takes).toEqual({ from: 'old_5' })
    const text = JSON.stringify({ ...draft, case_meta: draft.case_meta.map((one) => one.fields.slice(1)) })
    expect(text.match(/old_5/g)).toEqual(['old_5'])
    // The answer of the issue of that name is another one.
    expect(draft.deadlines[0]).toEqual({
      ...DEADLINE,
      from: '$case.new',
      when: { '$case.new': 'yes', old_5: { not: { path: '$case.new' } } },
    })
    expect(draft.tests[0]).toMatchObject({
      given: { new: 'yes' },
      expect: { visible: ['new', 'asked'], errors: { new: 'x' } },
    })
    expect(draft.automations[0]).toMatchObject({ when: { new: 'yes' }, then: [{ alert: 'See {new}' }] })
    expect(problems(draft)).toEqual([])
    expect(
      renamedBefore('case_meta', BEFORE, draft.case_meta).map((one) =>
        one.fields.map(({ attrs, ...rest }) => rest),
      ),
    ).toEqual(draft.case_meta.map((one) => one.fields.map(({ attrs, ...rest }) => rest)))
  })

  it('is followed where the form of issues and a test look at it in the case', () => {
    const issue_meta = [
      group('i', [
        visibleWhen('shown', { '$case.old_5': 'yes', old_5: 'no' }),
        {
          ...field('told', 'text', { default: { from: '$case.old_5' } }),
          label: 'Said {$case.old_5} {old_5}',
        },
        field('copy', 'text', { calc: 'join_text', of: ['$case.old_5', '$last.old_5'] }),
      ]),
    ]
    const test: FormTest = {
      name: 'of the issue',
      meta: 'issue_meta',
      given: { old_5: 'no' },
      with: { case: { old_5: 'yes' }, last: { old_5: 'no' } },
      as: { today: '2026-01-01' },
      expect: { visible: ['old_5'] },
    }
    const own: FormTest = { ...test, name: 'own', meta: 'case_meta', with: { last: { old_5: 'no' } } }
    const all = { ...DRAFT, issue_meta, tests: [test, own] }
    const { draft } = renameField(all, FORM, ['g', 'old_5'], 'new')
    const [{ fields }] = draft.issue_meta
    expect(fields[0].attrs?.when).toEqual({ '$case.new': 'yes', old_5: 'no' })
    expect([fields[1].label, fields[1].attrs?.default]).toEqual([
      'Said {$case.new} {old_5}',
      { from: '$case.new' },
    ])
    expect(fields[2].attrs?.of).toEqual(['$case.new', '$last.old_5'])
    expect(draft.tests).toEqual([
      { ...test, with: { case: { new: 'yes' }, last: { old_5: 'no' } } },
      { ...own, given: { new: 'no' }, with: { last: { new: 'no' } }, expect: { visible: ['new'] } },
    ])
  })

  it('is as it was once it has its old name again', () => {
    const { draft, address } = renameField(DRAFT, FORM, ['g', 'old_5'], 'new')
    expect(renameField(draft, FORM, address, 'old_5').draft).toEqual(DRAFT)
  })

  it('gets another type with another name, and the choices that it had', () => {
    const { draft, address } = changeType(DRAFT, FORM, ['g', 'old_5'], 'select', [])
    const changed = named(draft, address[1])
    expect(changed).toMatchObject({ name: 'old_5_2', type: 'select', attrs: { takes: { from: 'old_5' } } })
    expect(changed?.attrs?.options?.map(({ value }) => value)).toEqual(['yes', 'no', 'not_known'])
    expect(problems(draft)).toEqual([])
    const back = changeType(draft, FORM, address, 'yesno', [])
    expect(back.address).toEqual(['g', 'old_5'])
    expect(named(back.draft, 'old_5')?.attrs?.takes).toBeUndefined()
  })

  it('merges a choice into another, also where conditions and merged choices name it', () => {
    const options = named(DRAFT, 'home')!.attrs!.options!
    const once = mergeChoice(DRAFT, FORM, ['g', 'home'], options[0], options[1])
    const twice = mergeChoice(once, FORM, ['g', 'home'], options[1], options[2])
    expect(named(twice, 'home')?.attrs).toMatchObject({
      options: [{ value: 'own' }],
      takes: {
        from: 'home',
        values: [
          { was: 'council', is: 'own' },
          { was: 'housing', is: 'own' },
        ],
      },
    })
    expect(named(twice, 'rent')?.attrs?.when).toEqual({ home: ['own'] })
    expect(problems(twice)).toEqual([])
  })

  it('merges a choice also in automations, deadlines, tests and what looks at it from outside', () => {
    const options = named(DRAFT, 'home')!.attrs!.options!
    const when = { home: ['council', 'own'], any: [{ home: { not: 'council' } }] } as When
    const merged = { home: ['housing', 'own'], any: [{ home: { not: 'housing' } }] }
    const ofCase = { '$case.home': 'council', home: 'council' }
    const case_meta = [
      ...BEFORE,
      group('more', [
        visibleWhen('worse', { '$last.home': 'council' }),
        repeat('rows', [choice('home', ['council', 'x']), visibleWhen('inside', { home: 'council' })]),
      ]),
    ]
    const test: FormTest = {
      name: 't',
      meta: 'case_meta',
      given: { home: 'council', said: 'council' },
      with: { last: { home: 'council' } },
      as: { today: '2026-01-01' },
      expect: {},
    }
    const draft = mergeChoice(
      {
        ...DRAFT,
        case_meta,
        issue_meta: [group('i', [visibleWhen('of_case', ofCase)])],
        tests: [test],
        automations: [{ ...DRAFT.automations[0], when }],
        deadlines: [{ ...DEADLINE, when: ofCase }],
      },
      FORM,
      ['g', 'home'],
      options[0],
      options[1],
    )
    const of = { '$case.home': 'housing', home: 'council' }
    expect(draft.automations[0].when).toEqual(merged)
    expect(draft.deadlines[0].when).toEqual(of)
    expect(fieldsByName(draft.issue_meta).get('of_case')?.attrs?.when).toEqual(of)
    expect(named(draft, 'worse')?.attrs?.when).toEqual({ '$last.home': 'housing' })
    expect(named(draft, 'rows')?.fields?.[1].attrs?.when).toEqual({ home: 'council' })
    expect(draft.tests[0]).toMatchObject({
      given: { home: 'housing', said: 'council' },
      with: { last: { home: 'housing' } },
    })
  })

  it('becomes choices by bands that are typed as lines, single values first', () => {
    const is = choice('level', ['none', 'mild'])
    expect(readTakenBands('0–4 none\n5+ Mild', is)).toEqual({
      bands: [
        { min: 0, max: 4, is: 'none' },
        { min: 5, is: 'mild' },
      ],
    })
    expect(readTakenBands('0-4 Heavy', is).problem).toBe("'Level' has no choice 'Heavy'")
    expect(readTakenBands('many None', is).problem).toBe("Write 'many None' like 0–4 None")
    const { bands } = readTakenBands('up to 4 None\n5 mild\n6+ mild', is)
    expect(readTakenBands(linesOfBands(bands!, is), is).bands).toEqual(bands)
    const points = field('points', 'integer')
    const level = { ...is, attrs: { ...is.attrs, takes: { from: 'points' } } }
    const draft = { ...DRAFT, case_meta: [group('g', [level])] }
    const banded = setTakenBands(draft, 'case_meta', 'level', bands!)
    const single = setTaken(banded, 'case_meta', 'level', 3, 'mild')
    const [move] = movesOf([group('g', [points])], single.case_meta)
    expect([3, 4, 5, 9].map((value) => convertAnswer(value, move)?.value)).toEqual([
      'mild',
      'none',
      'mild',
      'mild',
    ])
    expect(setTakenBands(single, 'case_meta', 'level', []).case_meta[0].fields[0].attrs?.takes).toEqual({
      from: 'points',
      values: [{ was: 3, is: 'mild' }],
    })
  })

  it('keeps the columns of its rows, also under another name', () => {
    const rows = repeat('rows', [field('dose'), choice('route', ['oral', 'other'])])
    const before = [group('g', [rows])]
    const problemsOf = (columns: Field[], name = 'rows') =>
      checkMeta(
        {
          case_meta: [
            group('g', [
              { ...repeat(name, columns), ...(name !== 'rows' && { attrs: { takes: { from: 'rows' } } }) },
            ]),
          ],
          issue_meta: [],
        },
        { lookups: {} },
        {
          meta: { case_meta: before, issue_meta: [] },
          usage: {
            case_meta: { rows: 3 },
            issue_meta: {},
            choices: { case_meta: { 'rows.route': { other: 2 } }, issue_meta: {} },
          },
        },
      ).map(({ message }) => message)
    const [dose, route] = rows.fields!
    for (const name of ['rows', 'medicines']) {
      expect(problemsOf([dose, route], name)).toEqual([])
      expect(problemsOf([{ ...dose, label: 'Amount' }, route], name)).toEqual([])
      expect(problemsOf([{ ...dose, name: 'amount' }, route], name)).toEqual([
        "'Dose' is answered in 3 cases; switch it off instead of removing it",
      ])
      expect(problemsOf([{ ...dose, type: 'integer' }, route], name)).toEqual([
        "'Dose' is answered in 3 cases, so its type cannot change; switch it off and add a new field",
      ])
      expect(problemsOf([dose, choice('route', ['oral'])], name)).toEqual([
        expect.stringContaining("'Other'"),
      ])
    }
    const taking = (column: Field, from: string, more: Field['attrs'] = {}) => ({
      ...column,
      attrs: { ...column.attrs, ...more, takes: { from } },
    })
    expect(problemsOf([taking({ ...dose, name: 'amount' }, 'dose'), route])).toEqual([])
    expect(problemsOf([taking({ ...dose, name: 'amount' }, 'dose'), route], 'medicines')).toEqual([])
    expect(problemsOf([taking({ ...dose, name: 'amount' }, 'gone'), dose, route])).toEqual([
      expect.stringContaining('is not a column of the published rows'),
    ])
    expect(problemsOf([taking({ ...dose, name: 'amount', type: 'integer' }, 'dose'), route])).toContainEqual(
      expect.stringContaining('takes only answers of its own type'),
    )
    expect(problemsOf([taking({ ...dose, name: 'amount' }, 'dose'), dose, route])).toEqual([
      expect.stringContaining('is still asked'),
    ])
    const merging = {
      ...choice('route', ['oral']),
      attrs: {
        ...choice('route', ['oral']).attrs,
        takes: { from: 'route', values: [{ was: 'other', is: 'oral' }] },
      },
    }
    expect(problemsOf([dose, merging])).toEqual([])
  })

  it('renames and merges a column with all that refers to it, and its rows with them', () => {
    const rows = repeat(
      'rows',
      [
        field('dose', 'integer'),
        visibleWhen('why', { dose: { min: 5 }, route: 'other' }),
        choice('route', ['oral', 'other']),
        field('twice', 'integer', { calc: 'add', of: ['dose', 'dose'] }),
      ],
      { sort_by: 'dose' },
    )
    const before = [
      group('g', [
        rows,
        field('all', 'integer', { calc: 'sum', of: ['rows.dose'] }),
        field('high', 'integer', {
          calc: 'count_rows',
          of: ['rows'],
          rows_when: { dose: { min: 5 }, route: 'other' },
        }),
        visibleWhen('told', {
          rows: { any_row: { dose: { min: { path: 'twice' } }, route: ['other'] } },
          dose: 'x',
        }),
        field('dose'),
      ]),
    ]
    const test: FormTest = {
      name: 't',
      meta: 'case_meta',
      given: { rows: [{ dose: 5 }], dose: 'x' },
      as: { today: '2026-01-01' },
      expect: { visible: ['rows.0.why'], errors: { 'rows.0.dose': 'x' }, calculated: { dose: 1 } },
    }
    const all = {
      ...DRAFT,
      case_meta: before,
      tests: [test],
      automations: [{ ...DRAFT.automations[0], when: { rows: { any_row: { dose: 5, route: 'other' } } } }],
      deadlines: [],
    }
    const about = { meta: 'case_meta' as const, before }
    const { draft, address } = renameField(all, about, ['g', 'rows', 'dose'], 'amount')
    expect(address).toEqual(['g', 'rows', 'amount'])
    const options = rows.fields![2].attrs!.options!
    const merged = mergeChoice(draft, about, ['g', 'rows', 'route'], options[1], options[0])
    const [{ fields }] = merged.case_meta
    const [now, sum, count, told] = fields
    expect(now.attrs?.sort_by).toBe('amount')
    expect(now.fields?.map(({ name, attrs }) => [name, attrs?.takes?.from])).toEqual([
      ['amount', 'dose'],
      ['why', undefined],
      ['route', 'route'],
      ['twice', undefined],
    ])
    expect([now.fields?.[1].attrs?.when, now.fields?.[3].attrs?.of]).toEqual([
      { amount: { min: 5 }, route: 'oral' },
      ['amount', 'amount'],
    ])
    expect([sum.attrs?.of, count.attrs?.rows_when]).toEqual([
      ['rows.amount'],
      { amount: { min: 5 }, route: 'oral' },
    ])
    expect(told.attrs?.when).toEqual({
      rows: { any_row: { amount: { min: { path: 'twice' } }, route: ['oral'] } },
      dose: 'x',
    })
    expect(merged.automations[0].when).toEqual({ rows: { any_row: { amount: 5, route: 'oral' } } })
    expect(merged.tests[0]).toMatchObject({
      given: { rows: [{ amount: 5 }], dose: 'x' },
      expect: { visible: ['rows.0.why'], errors: { 'rows.0.amount': 'x' }, calculated: { dose: 1 } },
    })
    const [move] = movesOf(before, merged.case_meta)
    const stored = [
      { row: 'r1', dose: 5, route: 'other' },
      { row: 'r2', route: 'oral' },
    ]
    const taken = translateAnswers({ rows: stored, dose: 'x' }, [move]).answers
    expect(taken).toEqual({
      rows: [
        { row: 'r1', amount: 5, route: 'oral' },
        { row: 'r2', route: 'oral' },
      ],
      dose: 'x',
    })
    expect(translateAnswers({ rows: taken.rows }, reverseMoves([move])).answers.rows).toEqual([
      { row: 'r1', dose: 5, route: 'oral' },
      { row: 'r2', route: 'oral' },
    ])
    expect(JSON.stringify(withoutTakes(merged.case_meta))).not.toContain('takes')
    expect(renamedBefore('case_meta', before, draft.case_meta)).toEqual(withoutTakes(draft.case_meta))
    expect(renameField(draft, about, address, 'dose').draft).toEqual(all)
  })

  it('is split into two that both take its answers', () => {
    const { draft, address } = splitField(DRAFT, FORM, ['g', 'home'], [])
    expect(movesOf(BEFORE, draft.case_meta).map(({ from, name }) => [from, name])).toEqual([
      ['home', 'home'],
      ['home', address[1]],
    ])
    expect(problems(draft)).toEqual([])
    const left = setTaken(draft, 'case_meta', address[1], 'council', undefined)
    expect(named(left, address[1])?.attrs?.takes?.values?.map(({ was }) => was)).toEqual(['housing', 'own'])
  })

  it('leaves the names of published fields alone, and names new ones after their labels', () => {
    const copy: Field = { ...yesno('old_5_2'), label: 'Something else' }
    const draft = {
      ...DRAFT,
      case_meta: [...BEFORE, group('h', [copy, visibleWhen('more', { old_5_2: 'yes' })])],
    }
    const next = nameNewFields(
      draft,
      { case_meta: BEFORE, issue_meta: [] },
      { case_meta: [], issue_meta: [] },
    )
    expect(next.case_meta[1].fields.map(({ name }) => name)).toEqual(['something_else', 'more'])
    expect(next.case_meta[1].fields[1].attrs?.when).toEqual({ something_else: 'yes' })
    expect(
      nameNewFields(DRAFT, { case_meta: BEFORE, issue_meta: [] }, { case_meta: [], issue_meta: [] }),
    ).toBe(DRAFT)
  })
})
