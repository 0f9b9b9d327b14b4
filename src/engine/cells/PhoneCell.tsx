import type { CellProps } from './cell.ts'

/** A telephone number that can be rung by choosing it. */
export function PhoneCell({ value }: CellProps) {
  const text = String(value ?? '')
  const number = text.replaceAll(/[^\d+]/g, '')
  return number ? <a href={`tel:${number}`}>{text}</a> : text
}
