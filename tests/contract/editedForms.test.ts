import { describe, expect, it } from 'vitest'
import { adviceOn } from '../../src/constructor/forms/advice.ts'
import type { Field, Group } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import type { Metas } from '../../src/contract/meta/metaTypes.ts'
import { outsideFields } from '../../src/contract/meta/outsideFields.ts'
import { placesOf } from '../../src/contract/meta/places.ts'
import { seenPathsOf } from '../../src/contract/seenPaths.ts'
import { evaluate } from '../../src/contract/visible.ts'
import { type Random, seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'
import { contract } from '../loadedContract.ts'
import { formMade, republished } from './formsMade.ts'
import { known as lookups } from './metaErrors.ts'

const EDITS = 6

/** One edit of one field, which leaves all other fields and groups the same objects. */
function edited(groups: Group[], random: Random): Group[] {
  const g = random.between(0, groups.length - 1)
  const { fields } = groups[g]
  if (fields.length === 0) return groups
  const f = random.between(0, fields.length - 1)
  return groups.with(g, { ...groups[g], fields: fields.with(f, editedField(fields[f], groups, random)) })
}

function editedField(field: Field, groups: Group[], random: Random): Field {
  const other = random.pick(groups.flatMap((group) => group.fields)).name
  const attrs = { ...field.attrs }
  const all: Field[] = [
    { ...field, label: `${field.label} {${other}}` },
    { ...field, label: '' },
    { ...field, name: other },
    { ...field, type: 'integer', attrs: { calc: 'sum', of: [other, 2] } },
    { ...field, type: 'text', attrs: { ...attrs, default: { from: `$last.${other}` } } },
    { ...field, attrs: { ...attrs, when: { '$client.gender': { set: true } } } },
    { ...field, attrs: { ...attrs, help: `{${other}}`, is_on: true } },
  ]
  return random.pick(all)
}

/** Everything that is said of a form and follows from it. */
function allOf(metas: Metas, before: Metas) {
  const usage = { case_meta: { f1: 3, f2: 1 }, issue_meta: {} }
  const { case_meta } = metas
  return {
    errors: checkMeta(metas, known, { meta: before, usage }),
    advice: adviceOn(metas),
    outside: outsideFields('case_meta', metas, known),
    seen: seenPathsOf(case_meta),
    places: placesOf(case_meta),
    evaluated: evaluate(case_meta, {
      answers: { f0: 'yes', f1: 'a', f2: ['a'], f3: 'b' },
      today: '2026-06-04',
    }),
  }
}

const known = { ...lookups, entities: contract.entities }

describe('a form that is edited', () => {
  it('is validated, advised on and evaluated as one that never was', () => {
    for (let seed = 1; seed <= (FULL ? 200 : 5); seed++) {
      const random = seeded(seed)
      const before = { case_meta: formMade(random), issue_meta: [] }
      const history = [before]
      for (let i = 0; i < EDITS; i++) {
        const { case_meta } = random.chance(0.2) ? random.pick(history) : history.at(-1)!
        const next = random.chance(0.7) ? edited(case_meta, random) : republished(case_meta, random)
        history.push({ case_meta: next, issue_meta: [] })
      }
      for (const metas of history) {
        const [fresh, published] = structuredClone([metas, before])
        expect(allOf(metas, before), `seed ${seed}`).toEqual(allOf(fresh, published))
      }
    }
  })
})
