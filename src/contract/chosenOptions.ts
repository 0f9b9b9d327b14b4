import type { Option } from './generated.ts'
import type { Operand } from './operand.ts'
import { isSet } from './when.ts'

const optionsByValue = new WeakMap<Option[], Map<unknown, [number, Option]>>()

/**
 * The chosen options of an operand in the field's order. The map of options is cached, because each row of a repeat
 * asks again.
 */
export function chosen({ value, field }: Operand): Option[] {
  const options = field?.attrs?.options ?? []
  const byValue =
    optionsByValue.get(options) ?? new Map(options.map((option, i) => [option.value, [i, option]]))
  optionsByValue.set(options, byValue)
  const found = new Map([value].flat().flatMap((one) => (byValue.has(one) ? [byValue.get(one)!] : [])))
  return [...found].sort(([a], [b]) => a - b).map(([, option]) => option)
}

export function textOf(operand: Operand): string | undefined {
  if (!isSet(operand.value)) return undefined
  if (!operand.field?.attrs?.options) return String(operand.value)
  return (
    chosen(operand)
      .map(({ label }) => label)
      .join(', ') || undefined
  )
}

/** Characters after which joining stops: no type of text stores more. */
const MAX_JOINED_LENGTH = 20_000

/** Joins texts in order; a separator is dropped if no answered text precedes or follows it. */
export function joined(operands: Operand[]): string | undefined {
  let text = ''
  let between = ''
  for (const operand of operands) {
    if (text.length > MAX_JOINED_LENGTH) break
    if (operand.isSeparator) {
      between += operand.value
      continue
    }
    const part = textOf(operand)
    if (part === undefined) continue
    text += text ? (between || ' ') + part : part
    between = ''
  }
  return text || undefined
}
