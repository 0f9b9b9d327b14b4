import { expect, it } from 'vitest'
import type { Field, FieldAttrs, Group } from '../../src/contract/generated.ts'
import type { FormStore } from '../../src/engine/form/store/formStore.ts'
import { join } from '../../src/engine/form/store/paths.ts'
import type { FormSection } from '../../src/engine/form/store/sections.ts'
import { createFormStore } from '../../src/engine/form/store/store.ts'
import { type Random, seeded } from '../../src/server/ops/demo/random.ts'
import { formMade } from '../contract/formsMade.ts'
import { field, group } from '../contract/metaBuilders.ts'
import { FULL } from '../full.ts'

const FORMS = FULL ? 300 : 30
const STEPS = 40
const TEXTS = [undefined, '', ' ', 'a', 'b', 'yes', 'no', 'longer', '2026-06-04', '2027-01-01']

it('updates one field as it would update the whole form', () => {
  for (let seed = 1; seed <= FORMS; seed++) {
    const random = seeded(seed)
    const sections = sectionsMade(random)
    const store = createFormStore({ sections, document: { stamp: 'longer' }, conditionContext: {} })
    for (let step = 0; step < STEPS; step++) {
      const said = change(store, random)
      const updated = structuredClone(store.groups())
      // Other sections make everything be validated and rendered again.
      store.configure(structuredClone(sections), {})
      expect(updated, `form ${seed}, step ${step}: ${said}`).toEqual(store.groups())
    }
  }
})

/** Answers and leaves a field on the page, gets the server's messages or saves; says what was done. */
function change(store: FormStore, random: Random): string {
  const { at, fields } = random.pick(store.groups())
  const one = random.pick(fields)
  const path = controlOf(join(at, one.name), one, store, random)
  const kind = random.between(0, 11)
  if (kind === 0) store.submit()
  else if (kind === 1) store.showErrors({ [path]: ['is refused'] })
  else if (kind === 2) store.markSaved()
  else if (kind < 6) store.blur(path)
  else {
    const isRows = one.type === 'repeat' && !/\.\d+\.\w+$/.test(path)
    store.set(path, isRows ? rowsMade(random) : answerOf(one, random))
  }
  return `${['submit', 'showErrors', 'markSaved'][kind] ?? (kind < 6 ? 'blur' : 'set')} ${path}`
}

/** The path of a field, or of a column in one of its rows. */
function controlOf(path: string, { fields }: Field, store: FormStore, random: Random): string {
  const rows = store.valueAt(path)
  if (!fields || !Array.isArray(rows) || rows.length === 0 || random.chance(0.3)) return path
  return join(path, random.between(0, rows.length - 1), random.pick(fields).name)
}

const rowsMade = (random: Random) =>
  Array.from({ length: random.between(0, 2) }, (_, i) => ({ row: `r${i}`, c0: random.pick(TEXTS) }))

function answerOf({ type }: Field, random: Random): unknown {
  return type === 'multiselect' ? random.some(['a', 'b', 'z'], 2) : random.pick(TEXTS)
}

/** A form at the root of the document and one below it, which has conditions. */
function sectionsMade(random: Random): FormSection[] {
  const own = [
    field('name', 'text', { required_when: { stamp: 'longer' }, max_length: 3 }),
    field('start', 'date', { rules: ['not_future'] }),
    field('end', 'date', { rules: ['after:start'], required_when: { 'form.answers': { set: true } } }),
    field('turn_to', 'contact'),
    field('stamp', 'text', { read_only: true, required: true }),
  ]
  return [
    { key: 'own', at: '', groups: [group('own', own)] },
    { key: 'answers', at: 'answers', groups: formMade(random).map((one) => demanding(one, random)) },
  ]
}

/** The same group, in which some fields must be answered, or be short. */
function demanding(one: Group, random: Random): Group {
  return { ...one, fields: one.fields.map((f) => ({ ...f, attrs: { ...f.attrs, ...demands(f, random) } })) }
}

function demands({ type }: Field, random: Random): FieldAttrs {
  if (random.chance(0.4)) return { required: true }
  if (random.chance(0.3)) return { required_when: { f0: 'yes' } }
  return type === 'text' ? { max_length: 3 } : {}
}
