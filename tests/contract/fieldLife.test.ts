import { describe, expect, it } from 'vitest'
import { fieldHistory } from '../../src/contract/caseType/fieldHistory.ts'
import { referencesTo } from '../../src/contract/caseType/fieldReferences.ts'
import { followedFields } from '../../src/contract/caseType/followedFields.ts'
import type { Automation, Deadline, Field, FormTest } from '../../src/contract/generated.ts'
import { choice, field, group, hostileMetas, repeat, visibleWhen, yesno } from './metaBuilders.ts'

describe('what refers to a field', () => {
  const FAMILY = repeat('family', [
    choice('kind', ['sister', 'other']),
    visibleWhen('which', { kind: 'other' }),
    field('phone', 'text', { when: { ward: { set: true } } }),
  ])
  const case_meta = [
    group('one', [
      field('ward'),
      visibleWhen('bed', { ward: { set: true } }),
      { ...field('hello', 'note', { text: 'In {ward}' }), label: 'About {ward}' },
      field('start', 'text', { default: { from: '$ward' } }),
      field('before', 'text', { default: { from: '$last.ward' } }),
      field('sum', 'text', { calc: 'choose', choose: [{ when: { ward: 'A' }, then: { text: 'x' } }] }),
      field('checked', 'text', {
        checks: [{ when: { ward: 'B' }, message: 'No' }],
        required_when: { ward: 'C' },
      }),
      FAMILY,
    ]),
    group('two', [visibleWhen('many', { family: { any_row: { kind: 'sister' } } })], { when: { ward: 'D' } }),
  ]
  const issue_meta = [group('work', [field('ward'), visibleWhen('aim', { '$case.ward': 'A' })])]
  const automations: Automation[] = [
    { name: 'a', label: 'Watch', of: 'case', when: { ward: 'A' }, then: [{ alert: 'x', level: 'info' }] },
    {
      name: 'b',
      label: 'Kin',
      of: 'case',
      when: { family: { any_row: { kind: 'other' } } },
      then: [{ alert: 'x', level: 'info' }],
    },
  ]
  const deadlines = [
    { name: 'd', label: 'Soon', of: 'issue', when: { '$case.ward': 'A' } },
  ] as unknown as Deadline[]
  const tests: FormTest[] = [
    {
      name: 'Try',
      meta: 'case_meta',
      given: { ward: 'A' },
      as: { today: '2026-03-15', roles: [] },
      expect: { required: ['family.0.kind'] },
    },
  ]
  const parts = { case_meta, issue_meta, automations, deadlines, tests }
  const uses = (meta: 'case_meta' | 'issue_meta', key: string) =>
    referencesTo(parts, meta, key).map(({ kind, label }) => `${kind} ${label}`)

  it('is found in conditions, texts, start values, calculations, checks and what depends on the forms', () => {
    expect(uses('case_meta', 'ward')).toEqual([
      'shown Two',
      'shown Bed',
      'text About {ward}',
      'start Start',
      'start Before',
      'calculation Sum',
      'required Checked',
      'check Checked',
      'shown Phone',
      'shown Aim',
      'automation Watch',
      'deadline Soon',
      'test Try',
    ])
    // A field of the other form with the same name.
    expect(uses('issue_meta', 'ward')).toEqual([])
  })

  it('is told apart for a column, a field around it and fields of the same name', () => {
    expect(uses('case_meta', 'family.kind')).toEqual([
      'shown Which',
      'shown Many',
      'automation Kin',
      'test Try',
    ])
    expect(uses('case_meta', 'family')).toEqual(['shown Many', 'automation Kin', 'test Try'])
    expect(uses('case_meta', 'family.which')).toEqual([])
    expect(uses('case_meta', 'nothing')).toEqual([])
  })

  it('is sought in any form, however it is made', () => {
    for (const metas of hostileMetas()) expect(referencesTo(metas, 'case_meta', 'a')).toBeInstanceOf(Array)
  })
})

describe('the history of a field', () => {
  const versions = (...fields: (Field | undefined)[]) =>
    fieldHistory(fields.map((one, i) => ({ version: i + 1, field: one })))

  it('says in which version it came, changed, left and came back', () => {
    const kind = choice('kind', ['a', 'b'])
    const renamed: Field = { ...choice('sort', ['a', 'c', '-b']), label: 'Sort of kin' }
    expect(
      versions(
        undefined,
        kind,
        kind,
        renamed,
        { ...renamed, type: 'multiselect', attrs: { ...renamed.attrs, is_on: false } },
        undefined,
        kind,
      ),
    ).toEqual([
      { version: 2, words: ["Added as 'Kind', One choice"] },
      {
        version: 4,
        words: [
          'Stored as sort, until then as kind',
          "Called 'Sort of kin', until then 'Kind'",
          "Choices added: 'C'",
          "Choices retired: 'B'",
        ],
      },
      { version: 5, words: ['Type Several choices, until then One choice', 'Switched off'] },
      { version: 6, words: ['Removed from the form'] },
      { version: 7, words: ["Added again as 'Kind', One choice"] },
    ])
  })

  it('has the choices that are gone or offered again', () => {
    expect(versions(choice('kind', ['a', 'b', '-c']), choice('kind', ['a', 'c']))[1].words).toEqual([
      "Choices removed: 'B'",
      "Choices offered again: 'C'",
    ])
  })
})

describe('a field in the next state of its form', () => {
  const form = (...fields: Field[]) => [group('one', fields)]
  const followed = (before: Field[], after: Field[]) =>
    Object.fromEntries(followedFields(form(...before), form(...after)))

  it('is found under the name that it was given', () => {
    const [a, b] = [field('a'), yesno('b')]
    const named = { ...a, name: 'a_2' }
    expect(followed([a, b], [named, b])).toEqual({ a: 'a_2', b: 'b' })
    expect(followed([named, b], [a, b])).toEqual({ a_2: 'a', b: 'b' })
    // With another label and type, but it takes the answers.
    const taking = { ...field('c', 'textarea', { takes: { from: 'a' } }), label: 'Other' }
    expect(followed([a, b], [b, taking])).toEqual({ a: 'c', b: 'b' })
    // Its label and name have changed at once.
    expect(followed([a, b], [field('ward'), b])).toEqual({ a: 'ward', b: 'b' })
  })

  it('is not another field that came when it left', () => {
    const [a, b] = [field('a'), yesno('b')]
    expect(followed([a, b], [b])).toEqual({ b: 'b' })
    expect(followed([a, b], [b, yesno('c')])).toEqual({ b: 'b' })
    expect(followed([a, field('d'), b], [field('x'), field('y'), b])).toEqual({ b: 'b' })
  })

  it('keeps its columns, under the new names of both', () => {
    const family = (name: string, column: string) => repeat(name, [field(column), yesno('alive')])
    expect(followed([family('family', 'phone')], [family('kin', 'call')])).toEqual({
      family: 'kin',
      'family.phone': 'kin.call',
      'family.alive': 'kin.alive',
    })
  })
})
