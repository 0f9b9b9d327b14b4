import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { adviceOn } from '../../src/constructor/forms/advice.ts'
import { formInWords, type InWords } from '../../src/constructor/forms/formInWords.ts'
import { applyChanges } from '../../src/contract/applyChanges.ts'
import type { Field, Group } from '../../src/contract/generated.ts'
import { checkMeta } from '../../src/contract/meta/checkMeta.ts'
import { outsideFields } from '../../src/contract/meta/outsideFields.ts'
import { paperForm } from '../../src/contract/meta/paperForm.ts'
import { whyField } from '../../src/contract/meta/why.ts'
import { toSchema } from '../../src/contract/schema.ts'
import type { SchemaValidator } from '../../src/contract/validateAnswers.ts'
import { visible } from '../../src/contract/visible.ts'
import { type ConditionContext, getIn, isSet, type Values } from '../../src/contract/when.ts'
import { loadPatterns } from '../../src/engine/form/store/patternErrors.ts'
import { validateSchema as browserCheck } from '../../src/engine/form/store/validateSchema.ts'
import { ajvValidate as serverCheck } from '../../src/server/core/ajvValidate.ts'
import { FULL } from '../full.ts'
import { documents } from './agreeDocuments.ts'
import { caseMeta } from './metaBuilders.ts'
import { QUESTIONNAIRES, type Questionnaire } from './questionnaires.ts'

await loadPatterns()
const today = '2026-03-15'

function contextOf({ groups, last = {} }: Pick<Questionnaire, 'groups' | 'last'>): ConditionContext {
  const values = Object.fromEntries(Object.entries(last).map(([name, value]) => [`$last.${name}`, { value }]))
  return { seen: { values, fields: outsideFields('case_meta', caseMeta(...groups), {}) }, today }
}

function applied(questionnaire: Questionnaire, sent: Values, validateSchema: SchemaValidator) {
  const { groups } = questionnaire
  const conditionContext = contextOf(questionnaire)
  return applyChanges({ groups, stored: {}, sent, conditionContext, validateSchema, today, all: true })
}

function fieldsIn(groups: Group[]): Field[] {
  return groups.flatMap(({ fields }) => fields)
}

describe.each(QUESTIONNAIRES.map((one) => [one.name, one] as const))('%s', (_, questionnaire) => {
  const { groups, cases } = questionnaire

  it('can be published, and there is nothing to advise', () => {
    expect(checkMeta(caseMeta(...groups), { lookups: {} })).toEqual([])
    expect(adviceOn(caseMeta(...groups))).toEqual([])
  })

  it.each(cases)('follows from $given', ({ given, calculated = {}, errors = {}, ...shown }) => {
    const browser = applied(questionnaire, given, browserCheck)
    expect(browser).toEqual(applied(questionnaire, given, serverCheck))
    for (const [name, value] of Object.entries(calculated))
      expect([name, browser.values[name]]).toEqual([name, value])
    const seen = visible(groups, { ...contextOf(questionnaire), answers: given })
    const names = new Set(fieldsIn(seen).map(({ name }) => name))
    for (const name of shown.visible ?? []) expect([name, names.has(name)]).toEqual([name, true])
    for (const name of shown.hidden ?? []) expect([name, names.has(name)]).toEqual([name, false])
    const wrong = Object.entries(browser.errors).filter(([path]) => isSet(getIn(given, path.split('.'))))
    expect(wrong.map(([path]) => path)).toEqual(Object.keys(errors))
    for (const [path, words] of Object.entries(errors)) expect(browser.errors[path][0]).toContain(words)
    for (const { name } of fieldsIn(groups)) {
      const why = whyField(groups, name, { ...contextOf(questionnaire), answers: given })
      expect([name, why.isVisible]).toEqual([name, names.has(name)])
      expect(JSON.stringify(why)).not.toMatch(/undefined|NaN|\[object/)
    }
  })

  it('is readable on paper and in words', () => {
    const paper = JSON.stringify(paperForm(groups))
    const words = formInWords(groups)
    const sentences = (parts: InWords[]): string[] =>
      parts.flatMap((part) => [part.label, ...part.sentences, ...sentences(part.below)])
    for (const text of [paper, ...sentences(words)]) expect(text).not.toMatch(/undefined|NaN|\[object|\{\{/)
  })
})

describe('browser and server', () => {
  it('agree on what is wrong in generated answers to them', () => {
    const forms = QUESTIONNAIRES.map(({ name, groups }) => ({ from: name, groups }))
    const found: unknown[] = []
    for (const { name, from, groups, answers } of documents(forms, FULL ? 6000 : 48, 36)) {
      const schema = toSchema(visible(groups, { answers }), { answers })
      const [browser, server] = [browserCheck, serverCheck].map((check) => ({
        found: check(schema, answers)
          .map(({ path, keyword }) => `${path} ${keyword}`)
          .sort(),
        applied: applied({ name: from, groups, cases: [] }, answers, check),
      }))
      if (!isDeepStrictEqual(browser, server)) found.push({ name, from, browser, server })
    }
    expect(found.slice(0, 3)).toEqual([])
  })
})
