import type { CellProps } from './cell.ts'

/** 943 476 5919: ten digits in groups; other texts are unchanged. */
export function NhsNumberCell({ value }: CellProps) {
  const text = String(value ?? '')
  const digits = text.replaceAll(/[\s-]/g, '')
  return /^\d{10}$/.test(digits) ? digits.replace(/^(\d{3})(\d{3})/, '$1 $2 ') : text
}
