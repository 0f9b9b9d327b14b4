import type { Field } from './generated.ts'

const line = (name: string, label: string): Field => ({
  name,
  label,
  type: 'text',
  attrs: { max_length: 200 },
})

/** Fields of a UK address, in the order of an envelope; the contract defines their validation. */
export const ADDRESS_PARTS: Field[] = [
  line('line_1', 'Address line 1'),
  line('line_2', 'Address line 2 (optional)'),
  line('town', 'Town or city'),
  line('county', 'County (optional)'),
  { name: 'postcode', label: 'Postcode', type: 'postcode' },
]
