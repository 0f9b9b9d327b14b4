import { expect, it } from 'vitest'
import { SCOPES } from '../../src/check/files/names.ts'
import { SCOPES as RULES } from '../../src/server/access/scope.ts'
import { validateMetaShape } from '../../src/server/records/validate/metaShape.ts'
import { contract } from '../loadedContract.ts'

it('every scope that a descriptor may name has a rule, and every rule a name', () => {
  expect([...SCOPES].sort()).toEqual(Object.keys(RULES).sort())
})

it('metas are validated with the names of the current contract', () => {
  const field = { name: 'colour', label: 'Colour', type: 'select', attrs: { lookup: 'colours' } }
  const metas = { case_meta: [{ name: 'g', label: 'G', fields: [field] }] }
  expect(Object.keys(validateMetaShape(contract, metas))).not.toEqual([])
  const more = {
    ...contract,
    entities: { ...contract.entities },
    lookups: { ...contract.lookups, colours: contract.lookups.gender },
  }
  expect(validateMetaShape(more, metas)).toEqual({})
})
