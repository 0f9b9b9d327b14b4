import type { Field } from './generated.ts'

/** Fields of a contact, in the order of the form; the contract defines their validation. */
export const CONTACT_PARTS: Field[] = [
  { name: 'name', label: 'Name', type: 'text' },
  { name: 'role', label: 'Role', type: 'text' },
  { name: 'organisation', label: 'Organisation', type: 'text' },
  { name: 'phone', label: 'Telephone', type: 'phone' },
  { name: 'email', label: 'Email', type: 'text', attrs: { rules: ['email'] } },
]
