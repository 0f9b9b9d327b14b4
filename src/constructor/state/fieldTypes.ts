import { resultTypes } from '../../contract/calculate.ts'
import { CALCULATIONS } from '../../contract/calculations.ts'
import { FIELD_TYPES, suitsRule } from '../../contract/fieldTypes.ts'
import type { FieldAttrs, FieldType } from '../../contract/generated.ts'

const OF_SOME_TYPES = new Set(Object.values(FIELD_TYPES).flatMap((t) => t.attrs ?? []))

/** Attributes of a field that apply to another type; a default and the rules of other types are dropped. */
export function attrsForType(attrs: FieldAttrs = {}, type: FieldType): FieldAttrs {
  const entries = Object.entries(attrs).filter(([key]) => {
    const attr = key as keyof FieldAttrs
    return attr !== 'default' && (!OF_SOME_TYPES.has(attr) || FIELD_TYPES[type].attrs?.includes(attr))
  })
  const { rules = [], calc, of, choose, rows_when, ...others }: FieldAttrs = Object.fromEntries(entries)
  const validRules = rules.filter((rule) => suitsRule({ type }, rule.split(':')[0]))
  const isGiven = calc && resultTypes(CALCULATIONS[calc].gives).includes(type)
  const formula = { calc, ...(of && { of }), ...(choose && { choose }), ...(rows_when && { rows_when }) }
  return { ...others, ...(isGiven && formula), ...(validRules.length > 0 && { rules: validRules }) }
}
