import { describe, expect, it } from 'vitest'
import { deathOf, formatLifespan } from '../../src/contract/lifespan.ts'
import { contract } from '../loadedContract.ts'

const life = (born: string | null, died: string | null, today = '2026-11-26') =>
  formatLifespan({ born, died, today, formatDate: (day) => day })

describe('a life', () => {
  it.each([
    ['1931-05-07', null, '1931-05-07 (95)'],
    ['1931-11-26', null, '1931-11-26 (95)'],
    ['1931-11-27', null, '1931-11-27 (94)'],
    ['1931-05-07', '2026-06-03', '1931-05-07 – 2026-06-03, died at 95'],
    ['1931-05-07', '2026-05-06', '1931-05-07 – 2026-05-06, died at 94'],
    ['1931-05-07', '1931-05-07', '1931-05-07 – 1931-05-07, died at 0'],
    ['2004-02-29', '2026-02-28', '2004-02-29 – 2026-02-28, died at 21'],
    [null, '2026-06-03', 'died on 2026-06-03'],
    [null, null, ''],
  ])('born %s, died %s, reads %s', (born, died, words) => {
    expect(life(born, died)).toBe(words)
  })
})

describe('every entity that shows a client', () => {
  /** Properties that describe a client: the birth, the name, the status of the person. */
  const isOfClient = (entity: string, name: string) =>
    ['client_name', 'client_dob', 'person_name'].includes(name) ||
    (['client', 'clientRow', 'quickClient', 'duplicate', 'bulkDuplicate'].includes(entity) &&
      ['dob', 'status'].includes(name))
  /** What actions answer with: their notices name the client, and no page shows them. */
  const ofNotices = ['created', 'entry']
  const shown = Object.entries(contract.entities).flatMap(([entity, { properties }]) =>
    Object.entries(ofNotices.includes(entity) ? {} : properties)
      .filter(([name]) => isOfClient(entity, name))
      .map(([name, property]) => [entity, name, property] as const),
  )

  it('says if the person has died', () => {
    expect(shown.length).toBeGreaterThan(15)
    const silent = shown.filter(([, , { diedOn }]) => diedOn === undefined)
    expect(silent.map(([entity, name]) => `${entity}.${name}`)).toEqual([])
  })

  it('has the date of death that it names', () => {
    for (const [entity, , { diedOn }] of shown)
      expect(contract.entities[entity].properties[diedOn!]).toMatchObject({ format: 'date' })
  })
})

it('takes an empty date for no death', () => {
  expect([null, '', undefined].map((dod) => deathOf({ diedOn: 'dod' }, { dod }))).toEqual(
    Array(3).fill(undefined),
  )
})
