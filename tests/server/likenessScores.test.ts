import { describe, expect, it } from 'vitest'
import { compare } from '../../src/server/features/likeness/compare.ts'
import { compareDates, slipsOf } from '../../src/server/features/likeness/compareDates.ts'
import { compareWords } from '../../src/server/features/likeness/compareWords.ts'
import { editDistance, isExchange } from '../../src/server/features/likeness/editDistance.ts'
import type { SearchedClient } from '../../src/server/features/likeness/findPeople.ts'
import type { Person } from '../../src/server/features/likeness/person.ts'
import { rankPerson } from '../../src/server/features/likeness/rankPerson.ts'

describe('the distance of two texts', () => {
  it.each([
    ['', 'abc', 3],
    ['abc', '', 3],
    ['same', 'same', 0],
    ['ab', 'ba', 1],
    ['abcd', 'badc', 2],
    ['abc', 'ca', 3],
    ['kitten', 'sitting', 3],
  ])('of %j and %j is %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance)
    expect(editDistance(b, a)).toBe(distance)
  })

  it.each([
    ['ab', 'ba', true],
    ['abc', 'acb', true],
    ['ab', 'ab', false],
    ['abcd', 'badc', false],
    ['abc', 'cba', false],
  ])('of %j and %j is an exchange: %s', (a, b, isIt) => {
    expect(isExchange(a, b)).toBe(isIt)
  })
})

describe('two words', () => {
  it.each([
    ['al', 'all', undefined],
    ['ann', 'ani', 1.5],
    ['ann', 'anna', 6],
    ['anna', 'anne', 6],
    ['bae', 'bea', 6],
    ['kyle', 'kaile', 5],
    ['deardon', 'deeerdoon', 5],
    ['leah', 'leigh', undefined],
    ['moya', 'maye', undefined],
    ['dawkins', 'hawkens', 3.5],
    ['dawkin', 'hawken', undefined],
    ['deardon', 'diirdan', undefined],
    ['ben', 'bann', undefined],
  ])('%s and %s score %s', (a, b, score) => {
    expect(compareWords(a, b)?.score).toBe(score)
    expect(compareWords(b, a)?.score).toBe(score)
  })
})

describe('two dates of birth', () => {
  it.each([
    ['1950-03-04', '1950-03-04', 12, false],
    ['1950-01-01', '1950-01-01', 7, false],
    ['1950-03-04', '1950-04-03', 8, false],
    ['1950-12-13', '1950-12-31', 7, false],
    ['1950-03-04', '1950-03-15', 3, false],
    ['1950-12-12', '1961-12-12', 3, false],
    ['1939-05-17', '1953-05-17', -8, true],
    // 14 years of 365 days, and a day less.
    ['1950-03-04', '1964-02-29', -8, true],
    ['1950-03-04', '1964-02-28', -8, false],
  ])('%s and %s score %i, of two generations: %s', (a, b, score, isOtherGeneration) => {
    expect(compareDates(a, b)).toMatchObject({ score, isOtherGeneration })
    expect(compareDates(b, a)).toMatchObject({ score, isOtherGeneration })
  })

  it('are found by every slip of one digit or of two neighbours', () => {
    const slips = slipsOf('1950-03-04')
    const digits = (place: number, some: string) =>
      [...some].map((digit) => `1950-03-04`.slice(0, place) + digit + `1950-03-04`.slice(place + 1))
    expect(slips[0]).toBe('1950-03-04')
    expect(new Set(slips)).toEqual(
      new Set([
        '1950-04-03',
        '1905-03-04',
        ...digits(1, '8'),
        ...digits(2, '0123456789'),
        ...digits(3, '0123456789'),
        ...digits(6, '12456789'),
        ...digits(8, '012'),
        ...digits(9, '123456789'),
      ]),
    )
  })
})

const person = (name: string, more: Person = {}): Person => {
  const [first_name, last_name] = name.split('|')
  return { first_name, last_name, ...more }
}

describe('two names', () => {
  it.each([
    ['Deirdre|Smith-Dubois', 'Deirdre|Jones-Dubois', 10, 'likely'],
    ['Deirdre|Dubois', 'Deirdre|Dubois-Smith', 12.5, 'likely'],
    ['Ana|Costa e Silva', 'Ana|Lima e Souza', 2, null],
    ['Ann|Quist-Dubois', 'Ann|Quest-Marsh', 8.5, null],
    ['Ann|Clark', 'Ann|Clarke', 8, null],
    ['Ann|Dubois', 'Ann|Duboise', 10.5, 'likely'],
    ['Deirdre|Dubois', 'Dubios|Deirdre', 12, 'likely'],
    ['Paul|Dubois', 'Paula|Dubois', 2, null],
    ['Terry|Dubois', 'Jerry|Dubois', 13, 'likely'],
    ['Mo|Dubois', 'Monisha|Dubois', 2, null],
    ['Raj|Dubois', 'Rajesh|Dubois', 12, 'likely'],
    ['Raj|Dubois', 'Raja|Dubois', 13, 'likely'],
    ['Nita Roger|Dubois', 'Rogar|Dubois', 11, 'likely'],
    ['Nita Rory|Dubois', 'Rary|Dubois', 2, null],
    ['Mary Ann|Dubois', 'Mary Jane|Dubois', 9.5, null],
    ['D|Dubois', 'Deirdre|Dubois', 9.5, null],
    ['John|Dubois Jr', 'John|Dubois Sr', 2.5, null],
    ['John|Dubois Jr', 'John|Dubois', 12.5, 'likely'],
    ['John|Dubois', 'Joan|Dubois', 2, null],
    ['Carl|Dubois', 'Carol|Dubois', 13, 'likely'],
    ['Susan|Dubois', 'Susana|Dubois', 13, 'likely'],
    ['Olive Marta|Dubois', 'Marta|Dubois', 12, 'likely'],
    ['Mary A|Dubois', 'Mary Ann|Dubois', 12.5, 'likely'],
    ['Mary Liz|Dubois', 'Mary Elizabeth|Dubois', 12.5, 'likely'],
    ['Ana|Costa X Silva', 'Ana|Lima X Souza', 2, null],
    ['Ann|Brown', 'Ann|Browne', 10.5, 'likely'],
    ['|Dubois', 'Dubois|Deirdre', -4, null],
    ['Mrs|Dubois', 'Mrs|Dubois', 14, 'likely'],
    ['Van|Dubois', 'Van|Dubois', 14, 'likely'],
  ])('%s and %s score %d, which is %s', (a, b, score, certainty) => {
    expect(compare(person(a), person(b))).toMatchObject({ score, certainty })
    expect(compare(person(b), person(a))).toMatchObject({ score, certainty })
  })

  it('of one without a first name are likely only with a date of birth that is a slip at most', () => {
    const at = { phone: '07700 901942', postcode: 'MK40 2AB' }
    const nameless = person('|Dubois', { ...at, dob: '1950-03-04' })
    const likely = (dob: string) => {
      const named = person('Deirdre|Dubois', { ...at, dob })
      return [compare(nameless, named), compare(named, nameless)].map(({ certainty }) => certainty)
    }
    expect(likely('1951-03-04')).toEqual(['likely', 'likely'])
    expect(likely('1961-03-04')).toEqual([null, null])
  })
})

describe('two people of one name and date of birth', () => {
  const dob = '1949-07-25'
  it.each<[Person, Person, number, string | null]>([
    [{ dob }, { dob }, 26, 'likely'],
    [{ dob, postcode: 'MK40 2AB' }, { dob, postcode: 'mk402ab' }, 30, 'certain'],
    [{ dob, postcode: 'MK40 2AB' }, { dob, postcode: 'MK40 2AC' }, 24.5, 'likely'],
    [{ dob, postcode: 'MK40 2AB' }, { dob }, 26, 'likely'],
    [{ dob, phone: '07700 901942' }, { dob, mobile: '+44 7700 901942' }, 31, 'certain'],
    [{ dob, phone: '07700 901942' }, { dob, phone: '07700 901943' }, 25, 'likely'],
    [{ dob, phone: '07700 901942' }, { dob }, 26, 'likely'],
    [{ dob, phone: '123456' }, { dob, phone: '123456' }, 31, 'certain'],
    [{ dob, phone: '12345' }, { dob, phone: '12345' }, 26, 'likely'],
    [{ nhs_number: '943 476 5919' }, { nhs_number: '943 476 5917' }, 14, 'likely'],
    [{ nhs_number: '943 476 5919' }, { nhs_number: '401 023 2137' }, -4, null],
  ])('with %j and %j score %d, which is %s', (a, b, score, certainty) => {
    const [one, other] = [person('Deirdre|Dubois', a), person('Deirdre|Dubois', b)]
    expect(compare(one, other)).toMatchObject({ score, certainty })
    expect(compare(other, one)).toMatchObject({ score, certainty })
  })
})

describe('a person in the box', () => {
  const client: SearchedClient = {
    id: 7,
    first_name: 'Mary',
    last_name: 'Jones',
    known_as: null,
    dob: '1950-02-03',
    address: '3 Hazel Court, Bedford',
    postcode: 'MK40 2AB',
    phone: '01632 960001',
    mobile: null,
    nhs_number: '9434765919',
  }

  it.each([
    ['mary', {}, 0, 6],
    ['mar', {}, 0, 4],
    ['one', {}, 0, 3],
    ['ne', {}, 0, undefined],
    ['bed mary', {}, 0, 9.5],
    ['be mary', {}, 0, undefined],
    ['jnoes', {}, 0, 4],
    ['xyzzy mary', {}, 0, undefined],
    ['xyzzy mary', {}, 1, 0],
    ['xyzzy', {}, 1, undefined],
    ['xyzzy mary', { year: 1950 }, 0, 5],
    ['xyzzy qubb mary', { year: 1950 }, 0, undefined],
    ['mary jones', { year: 1951 }, 0, 5],
    ['mary', { year: 1951 }, 0, undefined],
    ['mar one', { year: 1951 }, 0, undefined],
    ['xyzzy', { id: 7 }, 0, 6],
    ['', { id: 8 }, 0, undefined],
    ['', { number: '01632960001' }, 0, 12],
    ['', { number: '943 476 5919' }, 0, 12],
    ['', { postcode: 'MK402AB' }, 0, 3.5],
    ['mary', { postcode: 'MK402AC' }, 0, 6],
  ])('of %j with %j and %i words that may be missing scores %s', (words, term, mayMiss, score) => {
    const named = words.split(' ').filter(Boolean)
    expect(rankPerson({ words: named, ...term }, named, client, mayMiss)?.score).toBe(score)
  })
})
