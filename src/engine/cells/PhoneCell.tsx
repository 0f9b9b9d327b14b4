import type { CellProps } from './cell.ts'

/** A telephone number as a link that calls it. */
export function PhoneCell({ value }: CellProps) {
  const text = String(value ?? '')
  const number = text.replaceAll(/[^\d+]/g, '')
  return number ? <a href={`tel:${number}`}>{text}</a> : text
}
