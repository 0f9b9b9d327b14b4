import type { Property } from '../../contract/generated.ts'
import { valueProblem } from '../../contract/valueProblem.ts'
import type { Literal } from '../../contract/when.ts'
import type { Path, Report } from '../files/report.ts'

/** The keys of a property that limit its value, and the types that they are for; a list has a maximum number of rows. */
const LIMITS = [
  { least: 'minLength', most: 'maxLength', types: ['string'], words: 'texts' },
  { least: 'minimum', most: 'maximum', types: ['integer', 'number', 'array'], words: 'numbers' },
] as const

/** Reports limits that no value can meet, or that are for another type. */
export function checkLimits(property: Property, path: Path, report: Report): void {
  const own = [property.type].flat()
  for (const { least, most, types, words } of LIMITS) {
    for (const key of [least, most]) {
      const limit = property[key]
      if (limit === undefined) continue
      if (own[0] !== undefined && !own.some((type) => types.some((one) => one === type)))
        report([...path, key], `'${key}' is for ${words}, and this is ${own.join(' or ')}`)
      else if (own.includes('integer') && !Number.isInteger(limit))
        report([...path, key], `the limit of a whole number is a whole number: write ${Math.round(limit)}`)
    }
    const [low, high] = [property[least], property[most]]
    if (low !== undefined && high !== undefined && low > high)
      report(
        [...path, least],
        `'${least}' is more than '${most}': no value is ${low} or more and ${high} or less`,
      )
  }
}

/** Reports options that a property or parameter can never have. */
export function checkOptions(
  name: string,
  {
    type,
    fieldType,
    options,
  }: Pick<Property, 'fieldType'> & { type?: unknown; options?: { value: Literal }[] },
  path: Path,
  report: Report,
): void {
  const types = [type].flat()
  // A field with choices of its own, such as yes or no, can offer some of them only.
  const property = { title: '', type: type === 'date' ? 'string' : type, fieldType } as Property
  for (const [i, { value }] of (options ?? []).entries()) {
    const at = [...path, 'options', i, 'value']
    const problem = valueProblem(name, property, value)
    if (problem) report(at, problem)
    else if (value === null && types[0] !== undefined && !types.includes('null'))
      report(at, `'${name}' is never null: write the value that it stands for, or add "null" to its type`)
  }
}
