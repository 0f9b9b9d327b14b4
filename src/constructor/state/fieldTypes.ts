import { RESULT_TYPES } from '../../contract/calculate.ts'
import { CALCULATIONS } from '../../contract/calculations.ts'
import { FIELD_TYPES } from '../../contract/fieldTypes.ts'
import type { FieldAttrs, FieldType } from '../../contract/generated.ts'
import { RULE_TYPES } from '../../contract/meta/checkLimits.ts'

const OF_SOME_TYPES = new Set(Object.values(FIELD_TYPES).flatMap((t) => t.attrs ?? []))

/** Attributes of a field that apply to another type; a default and the rules of other types are dropped. */
export function attrsForType(attrs: FieldAttrs = {}, type: FieldType): FieldAttrs {
  const entries = Object.entries(attrs).filter(([key]) => {
    const attr = key as keyof FieldAttrs
    return attr !== 'default' && (!OF_SOME_TYPES.has(attr) || FIELD_TYPES[type].attrs?.includes(attr))
  })
  const { rules = [], calc, of, ...others }: FieldAttrs = Object.fromEntries(entries)
  const validRules = rules.filter((rule) => RULE_TYPES[rule.split(':')[0]]?.includes(type))
  const isGiven = calc && RESULT_TYPES[CALCULATIONS[calc].gives].includes(type)
  return { ...others, ...(isGiven && { calc, of }), ...(validRules.length > 0 && { rules: validRules }) }
}
