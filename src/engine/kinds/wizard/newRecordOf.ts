import { codeKey } from '../../../contract/compareKey.ts'
import type { PersonTerm } from '../../../contract/personTerm.ts'
import { ruleError } from '../../../contract/rules.ts'
import type { Values } from '../../../contract/when.ts'

/** The first values of a new record that a search did not find, by the fields for the parts of the search. */
export function newRecordOf(
  { words, dob, number, postcode }: PersonTerm,
  fills: Partial<Record<string, string>>,
): Values {
  const names = words.map((word) => (word === word.toLowerCase() ? capital(word) : word))
  const isNhs = number !== undefined && !ruleError('nhs_number', number, { answers: {}, today: '' })
  const parts: Record<string, string | undefined> = {
    first: names.slice(0, -1).join(' '),
    last: names.at(-1),
    born: dob,
    number: isNhs ? number : undefined,
    phone: isNhs ? undefined : number,
    postcode: postcode && `${codeKey(postcode).slice(0, -3)} ${codeKey(postcode).slice(-3)}`,
  }
  const values = Object.entries(parts).flatMap(([part, value]) => {
    const field = fills[part]
    return field && value ? [[field, value]] : []
  })
  return Object.fromEntries(values)
}

function capital(word: string): string {
  return word.replaceAll(/(^|[-'’])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase())
}
