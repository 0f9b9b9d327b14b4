import { ROOTS } from './when.ts'

/** Reserved names, which have another meaning in conditions ('record.x', `any`) or in JavaScript objects. */
const RESERVED: readonly string[] = ['any', ...ROOTS, 'constructor', 'prototype']

/** Key of the row id, which the rows of a repeat have besides their columns. */
export const ROW_KEY = 'row'

const PATTERN = /^[a-z][a-z0-9_]{0,62}$/
const MAX_LENGTH = 63

/** Characters that Unicode normalisation does not decompose into a Latin letter and a mark. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  '&': ' and ',
  "'": '',
  '’': '',
}

/** True if a name can be a key of a form's answers. */
export function isFieldName(name: string): boolean {
  return PATTERN.test(name) && !RESERVED.includes(name)
}

/** A storage key made from a label ('Façade (new)' gives facade_new) that is not taken yet. */
export function newFieldName(label: string, taken: Pick<ReadonlySet<string>, 'has'>): string {
  const plain = label
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[ßæœøđðłþı&'’]/g, (letter) => LETTERS[letter])
  const words = plain.split(/[^a-z0-9]+/).filter(Boolean)
  const stem = words.length > 0 ? words.join('_') : 'field'
  const base = shorten(/^[a-z]/.test(stem) ? stem : `field_${stem}`, MAX_LENGTH)
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${shorten(base, MAX_LENGTH - 5)}_${n}`
    if (isFieldName(name) && !taken.has(name)) return name
  }
}

function shorten(name: string, length: number): string {
  return name.slice(0, length).replace(/_+$/, '')
}
