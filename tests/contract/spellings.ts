/** Seeded, so that a failing spelling fails again. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const APOSTROPHES = ["'", '’', '‘', 'ʼ', '`', '´']
const DASHES = ['-', '‐', '‑', '–']
const INVISIBLE = ['\u200B', '\u00AD', '\u202E', '\u2066', '\uFEFF', '\u200D']
const BLANKS = ['\u00A0', '  ', '\t', '\u2009']

/** A stored person, and the texts that find them. */
export interface SpeltName {
  first: string
  last: string
  terms: string[]
}

const NAMES: [first: string, last: string][] = [
  ['Ana', 'García'],
  ['Mary-Jo', "O'Brien"],
  ['Jan', 'van der Berg'],
  ['Łukasz', 'Wójcik'],
  ['Søren', 'Bjørnsson'],
  ['Zoë', 'Fitz-Gerald'],
  ['Ἀλέξης', 'Παπαδόπουλος'],
  ['Олег', 'Щербаков'],
]

/** Every way in which people type a name: order, case, accents, marks, blanks, and characters that are not seen. */
export const SPELT_NAMES: SpeltName[] = NAMES.map(([first, last]) => {
  const orders = [`${first} ${last}`, `${last} ${first}`, `${last}, ${first}`, last, first]
  const marks = (text: string) => [
    ...APOSTROPHES.map((mark) => text.replaceAll("'", mark)),
    ...DASHES.map((mark) => text.replaceAll('-', mark)),
    text.replaceAll(/['-]/g, ''),
    text.replaceAll('-', ' '),
  ]
  const hidden = orders.flatMap((text) => INVISIBLE.map((mark) => text.slice(0, 2) + mark + text.slice(2)))
  const spelt = orders
    .flatMap(marks)
    .flatMap((text) => [
      text,
      text.toUpperCase(),
      text.toLowerCase(),
      text.normalize('NFD'),
      text.normalize('NFD').replaceAll(/[\u0300-\u036F]/g, ''),
      ...BLANKS.map((blank) => `${blank}${text.replaceAll(' ', blank)}${blank}`),
    ])
  return { first, last, terms: [...new Set([...spelt, ...hidden])] }
})

/** Telephone numbers with the spellings of the same one. */
export const SPELT_PHONES: [stored: string, spellings: string[]][] = [
  ['01632 960001', '1632960001'],
  ['07700 900123', '7700900123'],
  ['020 7946 0000', '2079460000'],
].map(([stored, national]) => {
  const grouped = [
    `${national.slice(0, 4)} ${national.slice(4)}`,
    `${national.slice(0, 3)} ${national.slice(3, 6)} ${national.slice(6)}`,
    `${national.slice(0, 4)}-${national.slice(4)}`,
    `${national.slice(0, 4)}–${national.slice(4)}`,
    national,
  ]
  const prefixed = grouped.flatMap((number) => [
    `0${number}`,
    `+44 ${number}`,
    `+44${number}`,
    `+44 (0)${number}`,
    `0044 ${number}`,
  ])
  const bracketed = [
    `(0${national.slice(0, 4)}) ${national.slice(4)}`,
    `(0${national.slice(0, 2)}) ${national.slice(2)}`,
  ]
  const extended = [...prefixed, ...bracketed].flatMap((number) => [
    number,
    `${number} ext 5`,
    `${number} x5`,
    `${number} (after 6pm)`,
    ` ${number.replaceAll(' ', '\u00A0')}\u200B`,
  ])
  return [stored, [...new Set(extended)]]
})

/** Postcodes with the spellings of the same one. */
export const SPELT_POSTCODES: [stored: string, spellings: string[]][] = [
  'CB7 4AE',
  'M1 1AE',
  'SW1A 1AA',
  'EC1A 1BB',
  'B33 8TH',
].map((stored) => {
  const letters = stored.replace(' ', '')
  const cut = letters.length - 3
  const blanks = ['', ' ', '  ', '\u00A0', '\t', '\u200B', ' \u00AD']
  const spaced = blanks.map((blank) => letters.slice(0, cut) + blank + letters.slice(cut))
  const cased = spaced.flatMap((text) => [
    text,
    text.toLowerCase(),
    text[0].toLowerCase() + text.slice(1),
    text.slice(0, -1) + text.slice(-1).toLowerCase(),
  ])
  return [stored, [...new Set(cased.flatMap((text) => [text, ` ${text}`, `${text} `]))]]
})
