import type { CalculationName, ChooseRow } from './generated.ts'

/** Argument of a calculation: a field's name, `field.column` for all rows of a repeat, `$today`, a number or a text. */
export type Argument = string | number | { text: string }

export interface Formula {
  calc: CalculationName
  of: Argument[]
  /** The rows of 'choose', whose values and conditions take the place of arguments. */
  choose?: ChooseRow[]
}

/** The value at a path ('$client.postcode', '$other_field'). */
interface Prefill {
  from: string
  calc?: undefined
}

/** A default that is derived from other values. */
export type ComputedDefault = Prefill | Formula

/** Argument that stands for today's date. */
export const TODAY = '$today'
