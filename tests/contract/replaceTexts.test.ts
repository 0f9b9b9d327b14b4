import { describe, expect, it } from 'vitest'
import { findTexts, replaceTexts } from '../../src/constructor/replace/replaceTexts.ts'
import { replaceWords, type Search } from '../../src/constructor/replace/replaceWords.ts'
import { textPlaces } from '../../src/constructor/replace/textPlaces.ts'
import { type Draft, NO_DRAFT } from '../../src/constructor/state/caseType.ts'
import { choice, field, group, repeat } from './metaBuilders.ts'

const search = (find: string, how: Partial<Search> = {}): Search => ({
  find,
  matchesCase: false,
  wholeWords: false,
  ...how,
})
const after = (text: string, find: string, replacement: string, how?: Partial<Search>) =>
  replaceWords(text, search(find, how), replacement)?.text

describe('words in a text', () => {
  it.each<[string, string, string, Partial<Search>, string | undefined]>([
    ['Name of ward', 'ward', 'unit', {}, 'Name of unit'],
    ['Ward, or wards of the Ward', 'ward', 'unit', {}, 'Unit, or units of the Unit'],
    ['Ward, or wards', 'ward', 'unit', { matchesCase: true }, 'Ward, or units'],
    ['Ward, wards, steward, ward_2', 'ward', 'unit', { wholeWords: true }, 'Unit, wards, steward, ward_2'],
    ['Élan or elan', 'élan', 'drive', { wholeWords: true }, 'Drive or elan'],
    ['Is {ward} the ward?', 'ward', 'unit', {}, 'Is {ward} the unit?'],
    ['Is {ward}?', 'ward', 'unit', {}, undefined],
    ['[Our ward](https://ward.example/ward)', 'ward', 'unit', {}, '[Our unit](https://ward.example/ward)'],
    ['Costs (net)', '(net)', '[net] $1', {}, 'Costs [net] $1'],
    ['a.c abc', 'a.c', 'x', {}, 'x abc'],
    ['Any', '  ', 'x', {}, undefined],
    ['The ward round', ' round', '', {}, 'The ward'],
  ])('of %j, %j become %j', (text, find, replacement, how, expected) => {
    expect(after(text, find, replacement, how)).toBe(expected)
  })

  it('are marked before and after', () => {
    expect(replaceWords('A ward, a ward', search('ward'), 'bed')).toMatchObject({
      before: [
        { text: 'A ', isFound: false },
        { text: 'ward', isFound: true },
        { text: ', a ', isFound: false },
        { text: 'ward', isFound: true },
      ],
      text: 'A bed, a bed',
    })
  })
})

const TABLE = { layout: 'matrix' } as const
const DRAFT: Draft = {
  ...NO_DRAFT,
  label: 'Ward work',
  case_meta: [
    {
      ...group('ward', [
        field('ward', 'text', {
          help: 'The ward',
          required_text: 'Enter the ward',
          checks: [{ when: { ward: 'ward' }, message: 'Not the ward itself' }],
        }),
        repeat('stays', [{ ...field('on'), label: 'Ward of the stay' }], { row_label: 'Ward stay' }),
      ]),
      label: 'Ward',
    },
    group('table', [choice('first', ['ward']), choice('second', ['ward'])], TABLE),
  ],
  issue_meta: [group('note', [field('read', 'note', { text: 'On the ward' })])],
  automations: [
    {
      name: 'ward',
      label: 'Ward is known',
      of: 'case',
      when: { ward: { set: true } },
      then: [
        { alert: 'In {ward}, a ward', level: 'info' },
        { step: 'Ring the ward', due: { days: 1 } },
      ],
    },
  ],
  deadlines: [{ name: 'ward', label: 'Ward visit', of: 'case', from: 'ward', within: { days: 2 } }],
}

describe('the texts of a case type', () => {
  const found = findTexts(textPlaces(DRAFT), search('ward'), 'unit')

  it('are found everywhere, each with its place', () => {
    expect(found.map(({ place, text }) => [...place.where, place.what, text].join(' › '))).toEqual([
      'Case form › Ward › Label › Unit',
      'Case form › Ward › Ward › Label › Unit',
      'Case form › Ward › Ward › Help › The unit',
      'Case form › Ward › Ward › Message if it is empty › Enter the unit',
      'Case form › Ward › Ward › Message of a check › Not the unit itself',
      'Case form › Ward › Stays › Name of a row › Unit stay',
      'Case form › Ward › Stays › Ward of the stay › Label › Unit of the stay',
      'Case form › Table › First › Choice › Unit',
      'Issue form › Note › Read › Note › On the unit',
      'Automations › Ward is known › Label › Unit is known',
      'Automations › Ward is known › Alert › In {ward}, a unit',
      'Automations › Ward is known › Step › Ring the unit',
      'Deadlines › Ward visit › Label › Unit visit',
    ])
    expect(found[6].place.target).toEqual({ meta: 'case_meta', address: ['ward', 'stays', 'on'] })
    expect(found[11].place.target.definition).toEqual({ list: 'automations', name: 'ward' })
  })

  it('are replaced where they are ticked, the choices of a table in all its fields; names and values stay', () => {
    const next = replaceTexts(DRAFT, [found[2], found[7], found[11]])
    const [{ fields: wards }, { fields: rows }] = next.case_meta
    expect(wards[0]).toMatchObject({ name: 'ward', label: 'Ward', attrs: { help: 'The unit' } })
    expect(wards[0].attrs?.checks).toBe(DRAFT.case_meta[0].fields[0].attrs?.checks)
    expect(rows.map(({ attrs }) => attrs?.options)).toEqual([
      [{ value: 'ward', label: 'Unit' }],
      [{ value: 'ward', label: 'Unit' }],
    ])
    expect(next.automations[0].then).toEqual([
      { alert: 'In {ward}, a ward', level: 'info' },
      { step: 'Ring the unit', due: { days: 1 } },
    ])
    expect(next.issue_meta).toBe(DRAFT.issue_meta)
  })

  it('are not replaced where nothing would be left, or too much', () => {
    const problems = (find: string, replacement: string) =>
      findTexts(textPlaces(DRAFT), search(find, { matchesCase: true }), replacement).map(
        ({ problem }) => problem,
      )
    expect(problems('Ward stay', '')).toEqual(['Nothing would be left of it'])
    expect(problems('Ward visit', 'x'.repeat(101))).toEqual(['It would be longer than 100 characters'])
  })
})
