import Big from 'big.js'
import type { Operand } from './operand.ts'
import { isSet } from './when.ts'

/** Converts a value to a number for arithmetic; undefined if it is not one, such as a half-typed text. */
export function numberOf(value: unknown): Big | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? new Big(value) : undefined
  return typeof value === 'string' && /^-?\d{1,20}(\.\d{1,20})?$/.test(value) ? new Big(value) : undefined
}

export function integerOf(value: unknown): number | undefined {
  const number = numberOf(value)
  return number && Number(number.round(0, Big.roundDown))
}

export function answeredNumbers(operands: Operand[]): Big[] {
  return operands.flatMap(({ value }) => numberOf(value) ?? [])
}

export function total(numbers: Big[]): Big | undefined {
  return numbers.length > 0 ? numbers.reduce((sum, one) => sum.plus(one)) : undefined
}

/** The sum of the numbers among values; whole ones are added up without decimal arithmetic, which is slower. */
export function sumOf(operands: Operand[]): Big | undefined {
  let whole = 0
  let others: Big | undefined
  let isAnswered = false
  for (const { value } of operands) {
    if (Number.isSafeInteger(value) && Number.isSafeInteger(whole + (value as number))) {
      whole += value as number
      isAnswered = true
      continue
    }
    const number = numberOf(value)
    if (number) others = others ? others.plus(number) : number
  }
  if (!others) return isAnswered ? new Big(whole) : undefined
  return others.plus(whole)
}

export function allNumbers(operands: Operand[], how: (a: Big, b: Big) => Big | undefined): Big | undefined {
  const numbers = answeredNumbers(operands)
  if (numbers.length < operands.length) return undefined
  return numbers.slice(1).reduce<Big | undefined>((result, one) => result && how(result, one), numbers[0])
}

export function countOf(value: unknown): number {
  return Array.isArray(value) ? value.length : Number(isSet(value))
}

/** What is left after a division, with the sign of the divisor; undefined for a division by 0. */
export function remainder(number: Big, by: Big): Big | undefined {
  if (by.eq(0)) return undefined
  const left = number.mod(by)
  return left.eq(0) || left.gt(0) === by.gt(0) ? left : left.plus(by)
}
