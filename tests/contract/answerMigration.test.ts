import { describe, expect, it } from 'vitest'
import { movesOf, reverseMoves, withoutTakes } from '../../src/contract/answerMigration/answerMoves.ts'
import { convertAnswer, isConvertible } from '../../src/contract/answerMigration/convertAnswer.ts'
import { fitsField } from '../../src/contract/answerMigration/fitsField.ts'
import {
  type AnswerMigration,
  migrationsSince,
  translateAnswers,
  translateSince,
} from '../../src/contract/answerMigration/translateAnswers.ts'
import { FIELD_TYPES, hasChoices } from '../../src/contract/fieldTypes.ts'
import type { Field, FieldType, Group, TakenValue } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { type Random, seeded } from '../../src/server/ops/demo/random.ts'
import {
  currentAnswers,
  type StoredAnswers,
} from '../../src/server/records/answerMigrations/currentAnswers.ts'
import type { PendingMigration } from '../../src/server/records/answerMigrations/pendingMigrations.ts'
import { choice, field, group, repeat, yesno } from './metaBuilders.ts'

const became = (value: unknown, was: Field, is: Field, values?: TakenValue[]) => {
  const converted = convertAnswer(value, { was, is, values })
  return converted && [converted.by, converted.value]
}
const SAME = (value: unknown) => ['same', value]
const kinds = choice('kind', ['red', 'blue'])
const several = choice('kinds', ['red', 'blue', 'green'], {}, 'multiselect')

describe('an answer that a field of another type takes over', () => {
  it('stays as it is in a wider type', () => {
    expect(became('words', field('a'), field('b', 'textarea'))).toEqual(SAME('words'))
    expect(became(12, field('a', 'integer'), field('b', 'decimal'))).toEqual(SAME('12.00'))
    expect(became('red', kinds, several)).toEqual(SAME(['red']))
    expect(became('not_known', yesno('a'), choice('b', ['yes', 'no', 'not_known']))).toEqual(
      SAME('not_known'),
    )
    expect(became('red', kinds, field('b'))).toEqual(SAME('Red'))
    expect(became(3, field('a', 'integer'), field('b'))).toEqual(SAME('3'))
  })

  it('stays as it is in a narrower one where it fits, and otherwise nowhere', () => {
    expect(became(' RED ', field('a'), kinds)).toEqual(SAME('red'))
    expect(became('either', field('a'), kinds)).toBeUndefined()
    expect(became(['red'], several, kinds)).toEqual(SAME('red'))
    expect(became(['red', 'blue'], several, kinds)).toBeUndefined()
    expect(became('two\nlines', field('a', 'textarea'), field('b'))).toEqual(SAME('two lines'))
    expect(became('12.50', field('a', 'decimal'), field('b', 'integer'))).toBeUndefined()
    expect(became('12.00', field('a', 'decimal'), field('b', 'integer'))).toEqual(SAME(12))
    expect(became('yes please', field('a'), yesno('b'))).toBeUndefined()
  })

  it('is to be looked at where its number means something else in another list or currency', () => {
    const ofList = (name: string, lookup: string, type: FieldType = 'select') => field(name, type, { lookup })
    expect(became(5, ofList('a', 'hubs'), ofList('b', 'services'))).toBeUndefined()
    expect(became([5], ofList('a', 'hubs', 'multiselect'), ofList('b', 'services'))).toBeUndefined()
    expect(became(5, ofList('a', 'hubs'), ofList('b', 'hubs', 'multiselect'))).toEqual(SAME([5]))
    expect(became(5, ofList('a', 'hubs'), choice('b', [5, 6]))).toBeUndefined()
    expect(became(5, field('a', 'integer'), ofList('b', 'hubs'))).toBeUndefined()
    const [pounds, euros] = [field('a', 'money'), field('b', 'money', { currency: 'EUR' })]
    expect(became('5.00', pounds, euros)).toBeUndefined()
    expect(became('5.00', pounds, field('b', 'money'))).toEqual(SAME('5.00'))
    expect(became('1.234', field('a', 'decimal', { places: 3 }), field('b', 'decimal'))).toBeUndefined()
    expect(became('1.20', field('a', 'decimal'), field('b', 'decimal', { places: 3 }))).toEqual(SAME('1.200'))
  })

  it('becomes what the table says, by words, bands, whole answers or each choice', () => {
    const table = (...values: TakenValue[]) => values
    expect(became('PHONE', field('a'), kinds, table({ was: 'phone', is: 'red' }))).toEqual(['table', 'red'])
    const bands = table({ min: 0, max: 4, is: 'red' }, { min: 5, is: 'blue' })
    expect([3, 5, -1].map((n) => became(n, field('a', 'integer'), kinds, bands))).toEqual([
      ['table', 'red'],
      ['table', 'blue'],
      undefined,
    ])
    expect(became('4.50', field('a', 'decimal'), kinds, bands)).toBeUndefined()
    const whole = table({ was: ['blue', 'red'], is: 'blue' })
    expect(became(['red', 'blue'], several, kinds, whole)).toEqual(['table', 'blue'])
    expect(became(['red', 'green'], several, kinds, table({ was: 'green', is: 'red' }))).toEqual([
      'table',
      'red',
    ])
    expect(became('red', kinds, kinds, table({ was: 'red', is: null }))).toEqual(['table', undefined])
    expect(became('red', kinds, several, table({ was: 'red', is: 'blue' }))).toEqual(['table', ['blue']])
  })

  it('fits a field at its limits, and no further', () => {
    const age = field('b', 'integer', { min: 5, max: 10 })
    const fitting = (values: string[], is: Field, was = field('a')) =>
      values.filter((value) => became(value, was, is) !== undefined)
    expect(fitting(['4', '5', '10', '11', '5.5'], age)).toEqual(['5', '10'])
    const amount = field('b', 'decimal', { min: 1, max: 2 })
    expect(fitting(['0.99', '1.00', '2.00', '2.01'], amount)).toEqual(['1.00', '2.00'])
    const short = field('b', 'text', { max_length: 2 })
    expect(fitting(['😀😀', 'abc', 'ab'], short, field('a', 'textarea'))).toEqual(['😀😀', 'ab'])
    expect(
      fitting(['2024-02-29', '2026-02-29', '2026-02-30', '2026-13-01', 'soon'], field('b', 'date')),
    ).toEqual(['2024-02-29'])
    expect(fitting(['soon'], field('b', 'datetime'))).toEqual([])
    expect(fitsField(several, ['red', 'green'], false)).toBe(true)
    expect(fitsField(several, ['red', 'pink'], false)).toBe(false)
  })

  it('keeps the choices that the table leaves, each once, and the value of a choice before its words', () => {
    const drop: TakenValue[] = [{ was: 'green', is: null }]
    expect(became(['red', 'green'], several, several, drop)).toEqual(['table', ['red']])
    expect(became(['green'], several, several, drop)).toEqual(['table', undefined])
    expect(became(['red', 'blue'], several, several)).toEqual(SAME(['red', 'blue']))
    expect(became('red', kinds, several, [{ was: 'red', is: ['red', 'blue'] }])).toEqual([
      'table',
      ['red', 'blue'],
    ])
    expect(became('red', several, kinds)).toEqual(SAME('red'))
    const renamed = field('b', 'select', { options: [{ value: 'r1', label: 'Red' }] })
    expect(became('red', kinds, renamed)).toBeUndefined()
    expect(became('R1', field('a'), renamed)).toEqual(SAME('r1'))
    const swapped = field('b', 'multiselect', {
      options: [
        { value: 'blue', label: 'Red' },
        { value: 'red', label: 'Blue' },
      ],
    })
    expect(became('red', kinds, swapped)).toEqual(SAME(['red']))
  })

  it('is none of a table’s by mistake: an empty one is no number, and words are no amounts', () => {
    const bands: TakenValue[] = [{ min: 0, max: 4, is: 'red' }]
    expect(became('', field('a'), kinds, bands)).toBeUndefined()
    expect(became([], several, kinds, bands)).toEqual(SAME(undefined))
    expect([0, 4, '4.00'].map((value) => became(value, field('a', 'decimal'), kinds, bands))).toEqual(
      Array(3).fill(['table', 'red']),
    )
    const five: TakenValue[] = [{ was: 5, is: 'red' }]
    expect(became('5.00', field('a', 'decimal'), kinds, five)).toEqual(['table', 'red'])
    expect(became('5.0', field('a'), kinds, five)).toBeUndefined()
    const capitals = choice('a', ['x', 'X'])
    expect(became('X', capitals, kinds, [{ was: 'x', is: 'red' }])).toBeUndefined()
    expect(became('  ', field('a', 'textarea'), field('b'))).toBeUndefined()
    expect(became('5.00', field('a', 'money'), field('b', 'decimal'))).toEqual(SAME('5.00'))
  })

  it('is possible between texts, numbers, dates and choices, and otherwise only of one type', () => {
    const possible = [
      isConvertible('text', 'date'),
      isConvertible('repeat', 'repeat'),
      isConvertible('text', 'repeat'),
    ]
    expect([...possible, isConvertible('repeat', 'text')]).toEqual([true, true, false, false])
  })

  it('never becomes one that its field cannot store, whatever the types', () => {
    const types = Object.keys(FIELD_TYPES) as FieldType[]
    const make = (type: FieldType) =>
      hasChoices({ type }) ? choice('x', ['green', 'red'], {}, type) : field('x', type)
    for (const was of types)
      for (const is of types) {
        if (!isConvertible(was, is)) continue
        const { example } = FIELD_TYPES[was]
        const converted =
          example === undefined ? undefined : convertAnswer(example, { was: make(was), is: make(is) })
        if (converted && hasChoices({ type: is }) && converted.value !== undefined)
          expect(['green', 'red']).toEqual(expect.arrayContaining([converted.value].flat()))
      }
  })
})

const taking = (one: Field, from: string, values?: TakenValue[]): Field => ({
  ...one,
  attrs: { ...one.attrs, takes: { from, ...(values && { values }) } },
})
const moves = (before: Field[], after: Field[]) => movesOf([group('g', before)], [group('g', after)])
const migration = (version: number, before: Field[], after: Field[], undoes?: number): AnswerMigration => ({
  version,
  undoes,
  case_meta: moves(before, after),
  issue_meta: [],
})

describe('answers to an earlier form', () => {
  const chain = [
    migration(2, [field('a')], [taking(field('b'), 'a')]),
    migration(3, [field('b')], [taking(field('c'), 'b')]),
  ]
  const now = (answers: Values, version: number) =>
    translateSince(answers, chain, { version, meta: 'case_meta' })

  it('get the names of today, whatever is sent besides', () => {
    expect(now({ a: 'x', other: 1 }, 1)).toEqual({ c: 'x', other: 1 })
    expect(now({ b: 'x' }, 2)).toEqual({ c: 'x' })
    expect(now({ b: 'x' }, 3)).toEqual({ b: 'x' })
    expect(now({ a: null }, 1)).toEqual({ c: null })
  })

  it('give way to what was typed into the new form', () => {
    expect(now({ a: 'old', c: 'typed' }, 1)).toEqual({ c: 'typed' })
  })

  it('go nowhere and back where a publication was undone', () => {
    const back = { ...migration(4, [field('c')], [taking(field('b'), 'c')]), undoes: 3 }
    expect(migrationsSince([...chain, back], 1).map(({ version }) => version)).toEqual([2])
    expect(migrationsSince([...chain, back], 3).map(({ version }) => version)).toEqual([4])
  })

  it('are split, and cleared in all fields that take them', () => {
    const living = choice('living', ['alone_own', 'family'])
    const split = moves(
      [living],
      [
        taking(choice('with', ['alone', 'family']), 'living', [{ was: 'alone_own', is: 'alone' }]),
        taking(choice('tenure', ['own']), 'living', [{ was: 'alone_own', is: 'own' }]),
      ],
    )
    expect(translateAnswers({ living: 'alone_own' }, split).answers).toEqual({ with: 'alone', tenure: 'own' })
    expect(translateAnswers({ living: 'family' }, split).answers).toEqual({ with: 'family' })
    expect(translateAnswers({ living: null }, split).answers).toEqual({ with: null, tenure: null })
    expect(reverseMoves(split)).toEqual([])
  })

  it('are what somebody chose for the record, whatever the rules would make of them', () => {
    const renamed = moves(
      [choice('a', ['red', 'blue'])],
      [choice('b', ['red', 'blue'], { takes: { from: 'a' } })],
    )
    const chosen = translateAnswers({ a: 'red' }, renamed, { b: 'blue' })
    expect([chosen.answers, chosen.by]).toEqual([{ b: 'blue' }, { b: 'table' }])
    expect(translateAnswers({ a: 'red' }, renamed, { b: null }).answers).toEqual({})
  })

  it('lead back where one value became one other, which was no choice before', () => {
    const values: TakenValue[] = [
      { was: 'phone', is: 'call' },
      { was: 'email', is: 'written' },
      { was: 'letter', is: 'written' },
      { was: 'other', is: null },
      { min: 0, max: 4, is: 'few' },
    ]
    const before = choice('how', ['phone', 'email', 'letter', 'other', 'sms'])
    const after = choice('way', ['call', 'written', 'few', 'sms'], { takes: { from: 'how', values } })
    const [back] = reverseMoves(moves([before], [after]))
    expect([back.name, back.from, back.values]).toEqual(['how', 'way', [{ was: 'call', is: 'phone' }]])
  })

  it('stay under their old name where they do not fit, unless another answer has come there', () => {
    const [red, words] = [choice('b', ['red']), field('a')]
    const renamed = moves([words], [taking(red, 'a')])
    expect(translateAnswers({ a: 'pink' }, renamed)).toMatchObject({
      answers: { a: 'pink' },
      left: { a: 'pink' },
    })
    const exchanged = moves([words, field('c')], [taking(red, 'a'), taking(field('a'), 'c')])
    expect(translateAnswers({ a: 'pink', c: 'x' }, exchanged)).toMatchObject({
      answers: { a: 'x' },
      left: { a: 'pink' },
    })
    const reversed = exchanged.toReversed()
    expect(translateAnswers({ a: 'pink', c: 'x' }, reversed).answers).toEqual({ a: 'x' })
    expect(translateAnswers({ c: 'x' }, exchanged)).toEqual({
      answers: { a: 'x' },
      left: {},
      by: { a: 'same' },
    })
  })

  it('leave nothing where the table leaves them empty', () => {
    const emptied = moves([field('a')], [taking(field('b'), 'a', [{ was: 'none', is: null }])])
    expect(translateAnswers({ a: 'none' }, emptied).answers).toEqual({})
    expect(Object.keys(translateAnswers({ a: 'none' }, emptied).answers)).toEqual([])
  })

  it('of rows keep what does not fit in its column, under the new name, unless that has a value', () => {
    const rows = (columns: Field[], attrs: Field['attrs'] = {}) => repeat('rows', columns, attrs)
    const column = moves([rows([field('age')])], [rows([taking(field('years', 'integer'), 'age')])])
    const translated = (row: Values) => translateAnswers({ rows: [row] }, column).answers.rows
    expect(translated({ age: '5' })).toEqual([{ years: 5 }])
    expect(translated({ age: 'five' })).toEqual([{ years: 'five' }])
    expect(translated({ age: 'five', years: 6 })).toEqual([{ age: 'five', years: 6 }])
    const same = moves([rows([field('age')])], [rows([taking(field('age', 'integer'), 'age')])])
    expect(translateAnswers({ rows: [{ age: 'five' }] }, same).answers.rows).toEqual([{ age: 'five' }])
    expect(translateAnswers({ rows: 'none' }, column).answers).toEqual({ rows: 'none' })
  })

  it('go back and there again in the order of the versions, however often that is taken back', () => {
    const there = (version: number, undoes?: number) => ({ version, undoes })
    const left = (...all: { version: number; undoes?: number }[]) =>
      migrationsSince(all, 1).map(({ version }) => version)
    expect(left(there(3), there(2))).toEqual([2, 3])
    expect(left(there(2), there(3), there(4, 3), there(5, 2))).toEqual([])
    expect(left(there(2), there(3, 2), there(4), there(5, 4), there(6))).toEqual([6])
    expect(left(there(2, 1), there(3))).toEqual([2, 3])
    // An undo that is taken back itself leaves what it took back.
    expect(left(there(2), there(3, 2), there(4, 3))).toEqual([2])
  })

  it('leave nothing of the moves in the form', () => {
    const form: Group[] = [group('g', [taking(field('b'), 'a')])]
    expect(withoutTakes(form)[0].fields[0]).toEqual(field('b'))
  })
})

/** A random change of a form: a renamed field, another type, a merged choice or a split. */
function changed(form: Field[], version: number, random: Random): Field[] {
  const next = (below: number) => random.between(0, below - 1)
  const at = next(form.length)
  const old = form[at]
  const name = `${old.name.split('_')[0]}_v${version}`
  const others = form.filter((_, i) => i !== at)
  const options = old.attrs?.options?.map(({ value }) => String(value))
  if (!options) {
    const type = (['text', 'textarea', 'integer', 'select'] as const)[next(4)]
    return [...others, taking(type === 'select' ? choice(name, ['x', 'y']) : field(name, type), old.name)]
  }
  if (options.length > 1 && next(2) === 0)
    return [
      ...others,
      taking(choice(old.name, options.slice(1)), old.name, [{ was: options[0], is: options[1] }]),
    ]
  const split = [{ was: options[0], is: options[0] }]
  return next(2) === 0
    ? [
        ...others,
        taking(choice(name, options), old.name, split),
        taking(choice(`${name}b`, options), old.name, split),
      ]
    : [...others, taking(choice(name, options), old.name)]
}

describe('a record through any publications, saves and undos', () => {
  const pendingOf = (id: number, before: Field[], after: Field[]): PendingMigration => ({
    id,
    version: id,
    undoes: null,
    moves: moves(before, after),
    of_case: null,
    undone: null,
    undone_of_case: null,
    decided: null,
    replaced: null,
  })
  const NONE = { answers: {}, hidden: {} }
  const plain = (form: Field[]) => withoutTakes([group('g', form)])[0].fields

  it('has each answer in the record, among what does not count, or among what was replaced', () => {
    for (let seed = 0; seed < 100; seed++) {
      const random = seeded(seed)
      const next = (below: number) => random.between(0, below - 1)
      let form: Field[] = [field('note'), choice('home', ['x', 'y', 'z']), field('age', 'integer')]
      let stored: StoredAnswers = {
        answers: {
          note: ['x', '12', 'long words', 'Y'][next(4)],
          home: ['x', 'y', 'z'][next(3)],
          age: next(9),
        },
        hidden_answers: {},
      }
      for (let version = 2; version < 8; version++) {
        const after = changed(form, version, random)
        const pending = pendingOf(version, form, after)
        const before = stored
        const { steps, ...current } = currentAnswers(stored, [pending])
        // No step: none of the answers is moved.
        const { before: was, after: is } = steps[0] ?? { before: NONE, after: NONE }
        const values = (one: StoredAnswers) => [
          ...Object.values(one.answers),
          ...Object.values(one.hidden_answers).map(({ value }) => value),
        ]
        const findable = [...values(current), ...Object.values(was.answers)].map((one) => JSON.stringify(one))
        for (const value of values(before)) expect(findable).toContain(JSON.stringify(value))
        // What counts is an answer to a field of the form.
        const names = after.map(({ name }) => name)
        for (const name of Object.keys(current.answers)) expect(names).toContain(name)
        const undo: PendingMigration = {
          ...pendingOf(version + 100, after, []),
          undoes: version,
          moves: reverseMoves(pending.moves),
          undone: pending.moves,
          replaced: steps[0] ? { before: was, after: is } : null,
        }
        const { steps: back, ...undone } = currentAnswers(current, [undo])
        expect(undone).toEqual(before)
        expect(back[0]?.open ?? {}).toEqual({})
        // Both at once, as for a record that no server has reached.
        expect(currentAnswers(before, [pending, { ...undo, replaced: null }]).answers).toEqual(before.answers)
        stored = next(3) === 0 ? undone : current
        form = next(3) === 0 && stored === undone ? form : plain(stored === undone ? form : after)
      }
    }
  })

  it('keeps the part of a split answer that has the name before, where it was changed before the undo', () => {
    const form = [choice('living', ['x', 'y'])]
    const table = [{ was: 'x', is: 'x' }]
    const split = [taking(form[0], 'living', table), taking(choice('part', ['x', 'y']), 'living', table)]
    const pending = pendingOf(2, form, split)
    const { steps, ...current } = currentAnswers({ answers: { living: 'x' }, hidden_answers: {} }, [pending])
    const undo = {
      ...pending,
      id: 3,
      version: 3,
      undoes: 2,
      moves: [],
      undone: pending.moves,
      replaced: steps[0],
    }
    const changed = { living: 'y', part: 'x' }
    const { answers, hidden_answers, steps: back } = currentAnswers({ ...current, answers: changed }, [undo])
    expect([answers, Object.keys(hidden_answers)]).toEqual([{ living: 'y' }, ['part']])
    expect(back[0].before.answers).toEqual(changed)
  })

  it('has what it has seen of others by the new names and values, and gets it back by an undo', () => {
    const home = choice('home', ['council', 'housing', 'own'])
    const merged = taking(choice('home', ['housing', 'own']), 'home', [{ was: 'council', is: 'housing' }])
    const pending: PendingMigration = {
      ...pendingOf(2, [field('a'), home], [taking(field('b'), 'a'), merged]),
      of_case: moves([field('x')], [taking(field('y'), 'x')]),
    }
    const seen = {
      '$last.a': { value: 'Words', record: 7, follows: ['a', 'other'] },
      '$last.home': { value: 'council', record: 7 },
      '$case.x': { value: null },
      '$client.dob': { value: '2000-01-01' },
    }
    const stored = { answers: {}, hidden_answers: {}, answers_seen: seen }
    const { steps, ...current } = currentAnswers(stored, [pending])
    expect(current.answers_seen).toEqual({
      '$last.b': { value: 'Words', record: 7, follows: ['b', 'other'] },
      '$last.home': { value: 'housing', record: 7 },
      '$case.y': { value: null },
      '$client.dob': { value: '2000-01-01' },
    })
    const undo: PendingMigration = {
      ...pending,
      id: 3,
      version: 3,
      undoes: 2,
      moves: reverseMoves(pending.moves),
      of_case: reverseMoves(pending.of_case!),
      undone: pending.moves,
      undone_of_case: pending.of_case,
      replaced: steps[0],
    }
    expect(currentAnswers(current, [undo]).answers_seen).toEqual(seen)
    const taken = {
      ...current,
      answers_seen: { '$last.b': { value: 'Later' }, '$last.home': { value: 'own' } },
    }
    expect(currentAnswers(taken, [undo]).answers_seen).toEqual({
      '$last.a': { value: 'Later' },
      '$last.home': { value: 'own' },
    })
  })

  it('keeps what somebody changed before the undo, and names it', () => {
    const pending = pendingOf(2, [field('a')], [taking(field('b'), 'a')])
    const { steps, ...current } = currentAnswers({ answers: { a: 'x' }, hidden_answers: {} }, [pending])
    const undo: PendingMigration = {
      ...pending,
      id: 3,
      version: 3,
      undoes: 2,
      moves: reverseMoves(pending.moves),
      undone: pending.moves,
      replaced: steps[0],
    }
    const later = { ...current, answers: { b: 'changed' } }
    const { answers, steps: back } = currentAnswers(later, [undo])
    expect([answers, back[0].open]).toEqual([{ a: 'changed' }, { b: 'changed' }])
  })

  /** The migration that takes a pending one back. */
  const undoOf = (pending: PendingMigration, replaced: PendingMigration['replaced']): PendingMigration => ({
    ...pending,
    id: pending.id + 100,
    version: pending.version + 100,
    undoes: pending.version,
    moves: reverseMoves(pending.moves),
    of_case: pending.of_case && reverseMoves(pending.of_case),
    undone: pending.moves,
    undone_of_case: pending.of_case,
    replaced,
  })

  it('is touched only by what moves its answers, and is again by an undo of what left them empty', () => {
    const emptied = pendingOf(2, [field('a')], [taking(field('b'), 'a', [{ was: 'none', is: null }])])
    expect(currentAnswers({ answers: { other: 1 }, hidden_answers: {} }, [emptied]).steps).toEqual([])
    const stored = { answers: { a: 'none' }, hidden_answers: {} }
    const { steps, ...current } = currentAnswers(stored, [emptied])
    expect([current.answers, steps.length]).toEqual([{}, 1])
    const undone = currentAnswers(current, [undoOf(emptied, steps[0])])
    expect([undone.answers, undone.steps.length]).toEqual([{ a: 'none' }, 1])
    const both = currentAnswers({ answers: { a: 'x' }, hidden_answers: {} }, [
      { ...emptied, version: 1 },
      undoOf(emptied, null),
    ])
    expect([both.answers, both.steps.map(({ open }) => open)]).toEqual([{ a: 'x' }, [{}, {}]])
  })

  it('has a chosen value only for the answer that it was chosen for', () => {
    const chosen = {
      ...pendingOf(2, [field('a')], [taking(field('b'), 'a')]),
      decided: { b: { was: 'x', is: 'y' } },
    }
    const now = (a: string) => currentAnswers({ answers: { a }, hidden_answers: {} }, [chosen]).answers
    expect([now('x'), now('z')]).toEqual([{ b: 'y' }, { b: 'z' }])
  })

  it('keeps what does not fit where a field of the form has its name, and hides it otherwise', () => {
    const now = (after: Field) =>
      currentAnswers({ answers: { a: 'words' }, hidden_answers: {} }, [pendingOf(2, [field('a')], [after])])
    const kept = now(taking(field('a', 'integer'), 'a'))
    expect([kept.answers, kept.hidden_answers]).toEqual([{ a: 'words' }, {}])
    const hidden = now(taking(field('b', 'integer'), 'a'))
    expect([hidden.answers, hidden.hidden_answers]).toMatchObject([{}, { a: { value: 'words' } }])
    expect(Object.keys(hidden.answers)).toEqual([])
  })

  it('has hidden answers by their new names, each with what hid it', () => {
    const hidden = {
      b: { value: 'x', since: '2026-01-01', by: 1 },
      c: { value: 'y', since: '2026-02-01', by: 2 },
    }
    const pending = pendingOf(2, [field('a'), field('c')], [taking(field('b'), 'a'), taking(field('d'), 'c')])
    const { b, c: d } = hidden
    expect(currentAnswers({ answers: {}, hidden_answers: hidden }, [pending]).hidden_answers).toEqual({
      b,
      d,
    })
  })

  it('keeps what it has seen where nothing takes it, and gets what a case split back by an undo', () => {
    const home = choice('home', ['council', 'own'])
    const split = [
      taking(choice('tenure', ['council', 'own']), 'home'),
      taking(choice('with', ['alone']), 'home'),
      taking(choice('none', ['x']), 'none_before', [{ was: 'a', is: null }]),
      taking(field('b', 'integer'), 'a'),
      taking(field('a'), 'b'),
    ]
    const pending: PendingMigration = {
      ...pendingOf(2, [], []),
      of_case: moves([home, choice('none_before', ['a']), field('a'), field('b')], split),
    }
    const seen = {
      '$case.home': { value: 'own' },
      '$case.none_before': { value: 'a' },
      '$case.a': { value: 'words' },
      '$case.b': { value: 'more' },
    }
    const stored = { answers: {}, hidden_answers: {}, answers_seen: seen }
    const { steps, ...current } = currentAnswers(stored, [pending])
    expect(current.answers_seen).toStrictEqual({
      '$case.tenure': { value: 'own' },
      '$case.none': { value: null },
      '$case.a': { value: 'more' },
    })
    expect(currentAnswers(current, [undoOf(pending, steps[0])]).answers_seen).toEqual(seen)
  })

  it('has each field taken back by itself, so that a change of one leaves the others as they were', () => {
    const merged = choice('house', ['y', 'z'], {
      takes: { from: 'home', values: [{ was: 'x', is: 'y' }] },
    })
    const before = [field('a'), choice('home', ['x', 'y', 'z'])]
    const pending = pendingOf(2, before, [taking(field('b'), 'a'), merged])
    const stored = { answers: { a: 'words', home: 'x' }, hidden_answers: {} }
    const { steps, ...current } = currentAnswers(stored, [pending])
    expect(current.answers).toEqual({ b: 'words', house: 'y' })
    const changed = { ...current, answers: { ...current.answers, b: 'changed' } }
    const undone = currentAnswers(changed, [undoOf(pending, steps[0])])
    expect([undone.answers, undone.steps[0].open]).toEqual([{ a: 'changed', home: 'x' }, { b: 'changed' }])
    expect(undone.steps[0].by).toEqual({ a: 'same', home: 'same' })
  })

  it.each([
    ['renamed to each other’s names', ['a', 'b'], ['b', 'a']],
    ['renamed in a chain', ['a', 'b'], ['b', 'c']],
    ['renamed in a circle', ['a', 'b', 'c'], ['b', 'c', 'a']],
  ])('keeps what was changed before the undo of fields that were %s', (_, before, after) => {
    const taken = after.map((name, i) => taking(field(name), before[i]))
    for (const form of [taken, taken.toReversed()]) {
      const pending = pendingOf(
        2,
        before.map((name) => field(name)),
        form,
      )
      const answers = Object.fromEntries(before.map((name) => [name, `of ${name}`]))
      const { steps, ...current } = currentAnswers({ answers, hidden_answers: {} }, [pending])
      for (const [i, name] of after.entries()) {
        const changed = { ...current, answers: { ...current.answers, [name]: 'changed' } }
        const undone = currentAnswers(changed, [undoOf(pending, steps[0])])
        expect(undone.answers).toEqual({ ...answers, [before[i]]: 'changed' })
        expect([undone.hidden_answers, undone.steps[0].open]).toEqual([{}, { [name]: 'changed' }])
      }
      expect(currentAnswers(current, [undoOf(pending, steps[0])]).answers).toEqual(answers)
    }
  })
})
