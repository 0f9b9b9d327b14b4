import { describe, expect, it } from 'vitest'
import { formInWords, type InWords, textInWords } from '../../src/constructor/forms/formInWords.ts'
import { describeAnswer } from '../../src/contract/describeAnswer.ts'
import type { Field, Group } from '../../src/contract/generated.ts'
import { literalsOf, testsOf } from '../../src/contract/meta/conditionTests.ts'
import { isOtherPath, operandsOf, type When } from '../../src/contract/when.ts'
import { choice, demoMetas, field, group, hostileMetas, repeat, visibleWhen, yesno } from './metaBuilders.ts'

const words = (fields: Field[], attrs?: Group['attrs']) => formInWords([group('one', fields, attrs)])[0]
const questions = (parts: InWords[]): InWords[] =>
  parts.flatMap(({ below }) => below.flatMap((one) => [one, ...questions([one])]))

describe('a form in words', () => {
  it('numbers what staff see as a question, columns below their repeat', () => {
    const inner = repeat('calls', [field('day', 'date'), field('minutes', 'integer')])
    const parts = formInWords([
      group('off', [field('old')], { is_on: false }),
      group('one', [field('a'), field('secret', 'text', { hidden: true }), field('hint', 'note')]),
      group('two', [
        field('b', 'text', { is_on: false }),
        repeat('family', [field('name'), inner]),
        field('c'),
      ]),
    ])
    const numbers = [...parts, ...questions(parts)].map(({ number, label }) => `${number} ${label}`.trim())
    expect(numbers).toEqual([
      'Off',
      'A One',
      'B Two',
      'Old',
      '1 A',
      'Secret',
      'Hint',
      'B',
      '2 Family',
      '2a Name',
      '2b Calls',
      '2b1 Day',
      '2b2 Minutes',
      '3 C',
    ])
  })

  it('says what a question asks for and what decides about it', () => {
    const part = words(
      [
        yesno('urgent', { required: true, help: 'Since today' }),
        choice('setting', ['ward', 'home', '-tent'], { when: { urgent: 'yes' } }),
        field('end', 'date', {
          default: 'today',
          rules: ['not_future'],
          required_when: { setting: ['ward', 'home'] },
          checks: [{ when: { end: { max: { path: 'start' } } }, message: 'Too early' }],
        }),
        field('start', 'date'),
        field('number', 'text', { pattern: { matches: '[A-Z]\\d', example: 'A1' } }),
        field('days', 'integer', { calc: 'days_between', of: ['start', 'end'] }),
      ],
      { when: { start: { set: true } } },
    )
    expect(part.sentences).toEqual(["Shown only when '4 Start' has a value."])
    expect(part.below.map(({ sentences }) => sentences)).toEqual([
      ['Yes, no or not known.', 'Must be answered.', 'Help: Since today.'],
      ['One choice: Ward, Home, 1 retired.', "Shown only when '1 Urgent' is Yes.", 'Optional.'],
      [
        'Date.',
        "Must be answered when '2 Setting' is one of Ward or Home.",
        'Begins as the day on which the form is opened.',
        'It must not be in the future.',
        "Refused with “Too early” when '3 End' is at most '4 Start'.",
      ],
      ['Date.', 'Optional.'],
      ['Text.', 'Optional.', "It must be like 'A1', by the pattern [A-Z]\\d."],
      ['Number.', "Calculated: the days from '4 Start' to '3 End'."],
    ])
  })

  it('cuts long lists of choices and keeps long conditions', () => {
    const values = Array.from({ length: 40 }, (_, i) => `choice ${i}`)
    const [many, asked] = words([choice('many', values), visibleWhen('asked', { many: values })]).below
    expect(many.sentences[0]).toMatch(/^One choice: Choice 0, .*, Choice 10, 29 more\.$/)
    expect(asked.sentences[1]).toContain('Choice 39')
  })

  it('is plain text as well', () => {
    const parts = formInWords([group('one', [yesno('urgent'), repeat('family', [field('name')])])])
    expect(textInWords('Care', parts)).toBe(
      [
        'Care',
        '',
        'A One',
        '  1 Urgent',
        '      Yes, no or not known.',
        '      Optional.',
        '  2 Family',
        '      Repeating rows.',
        '      Optional.',
        '    2a Name',
        '        Text.',
        '        Optional.',
        '',
      ].join('\n'),
    )
  })

  it('is made of the worst forms too', () => {
    for (const { case_meta } of hostileMetas()) expect(() => formInWords(case_meta)).not.toThrow()
  })
})

describe('each condition of the case types of the demo', () => {
  const conditionsOf = ({ attrs = {} }: Field): When[] =>
    [attrs.when, attrs.required_when, ...(attrs.checks ?? []).map(({ when }) => when)].filter(
      (when) => when !== undefined,
    )
  for (const [i, metas] of demoMetas().entries()) {
    it(`is mentioned with all that it compares, in case type ${i + 1}`, () => {
      for (const groups of [metas.case_meta, metas.issue_meta]) {
        const all = groups.flatMap((g) => g.fields)
        const parts = formInWords(groups)
        for (const [g, { attrs, fields }] of groups.entries()) {
          if (attrs?.when) expectMentioned(attrs.when, parts[g].sentences, all)
          for (const [f, one] of fields.entries()) {
            const described = parts[g].below[f]
            for (const when of conditionsOf(one)) expectMentioned(when, described.sentences, all)
            for (const [c, column] of (one.fields ?? []).entries())
              for (const when of conditionsOf(column))
                expectMentioned(when, described.below[c].sentences, [...all, ...one.fields!])
          }
        }
      }
    })
  }

  function expectMentioned(when: When, sentences: string[], reach: Field[]) {
    const text = sentences.join(' ')
    for (const [path, test] of testsOf(when)) {
      const about = reach.findLast(({ name }) => name === path.split('.')[0])
      expect(text).toContain(about!.label)
      for (const literal of literalsOf(test)) expect(text).toContain(describeAnswer(about, literal))
      for (const { path: other } of operandsOf(test).filter(isOtherPath))
        expect(text).toContain(reach.find(({ name }) => name === other)!.label)
    }
  }
})
