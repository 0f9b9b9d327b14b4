import type { Kind } from './calculations.ts'
import type { DecimalFormat } from './decimalFormat.ts'
import type { Check, Field, FieldAttrs, FieldType, Option } from './generated.ts'
import type { CELLS } from './generatedNames.ts'

/** A JSON Schema (draft 7) without conditionals, extended by named `rules` and error messages. */
export interface FieldSchema {
  type?: string
  title?: string
  rules?: string[]
  /** Pattern of a text as an RE2 expression, which JSON Schema does not support. */
  matches?: string
  example?: string
  requiredText?: string
  /** The `checks` of the field's attributes. */
  checks?: Check[]
  maxWords?: number
  /** What one row of a list is called, and whether another answer says how many there must be. */
  rowLabel?: string
  isCounted?: boolean
  /** Choices that exclude all others. */
  exclusive?: Option[]
  /** Limits of a number stored as text, which JSON Schema cannot compare. */
  least?: number
  most?: number
  /** Limits of a date: its first day, and years after today. */
  earliest?: string
  yearsAhead?: number
  /** End of the error message for a value of the wrong type: 'must be …'. */
  mustBe?: string
  required?: string[]
  properties?: Record<string, FieldSchema>
  additionalProperties?: boolean
  items?: FieldSchema | FieldSchema[]
  enum?: unknown[]
  [keyword: string]: unknown
}

/** Converts a value, to store it or to compare it; `ofPart` converts the values of its parts or columns likewise. */
export type Form = (value: unknown, field: Field, ofPart: OfPart) => unknown
export type OfPart = (value: unknown, part: Field) => unknown

/** How a cell of a spreadsheet is read and written: see server/records/files/cells.ts and exportCell.ts. */
export type SheetKind =
  | 'text'
  | 'phone'
  | 'whole'
  | 'decimal'
  | 'point'
  | 'yesNo'
  | 'choice'
  | 'choices'
  | 'day'
  | 'moment'
  | 'month'
  | 'year'
  | 'clock'
  | 'hours'
  | 'none'

/** The space for an answer on paper: boxes of one digit each under labels, or one that PaperAnswer.tsx names. */
export type PaperSpace =
  | { digits: [label: string, count: number][] }
  | 'line'
  | 'shortLine'
  | 'lines'
  | 'choices'
  | 'points'
  | 'parts'
  | 'signature'
  | 'attachment'
  | 'rows'
  | 'nothing'

/**
 * Everything that depends on the type of a field, for browser and server; only its widget is elsewhere, in
 * engine/form/theme/theme.ts. An omitted key means no, unless its comment says otherwise.
 */
export interface TypeFacts {
  /** Name in the constructor, and a short description. */
  title: string
  about: string
  /** Attributes that apply to this type, besides those of every type. */
  attrs?: (keyof FieldAttrs)[]
  /** Named rules that its answers can be held to. */
  rules?: string[]

  /** JSON Schema of an answered value, with its limits; schema.ts adds the rows of a repeat. */
  schema: (field: Field) => FieldSchema
  /** The one form in which a value is stored; a value of the wrong type stays as it is, to be refused. */
  normalise: Form
  /** What searches, filters and searches for duplicates compare of a stored value. */
  compareKey: Form
  /** Sample answer for the preview of all types and for demo data. */
  example?: unknown

  /** A text between the questions: it has no answer. */
  asksNothing?: true
  /** Its value is an array of rows, whose columns are the field's own `fields`. */
  holdsRows?: true
  /** Its value is an object with these parts. */
  parts?: Field[]
  /** Its value is the id of a file; 'drawn': of a picture that is drawn or typed in the form. */
  holdsFile?: 'uploaded' | 'drawn'
  /** People choose one or several of its options or of the items of its lookup. */
  choices?: 'one' | 'several'
  /** The choices that the type itself has. */
  ownChoices?: (attrs?: FieldAttrs) => Option[]
  /** The numbers of which people choose one. */
  points?: (attrs?: FieldAttrs) => number[]
  /** How its decimal number is written; it is stored as text, so that no digit is lost. */
  decimal?: (attrs?: FieldAttrs) => DecimalFormat
  isWhole?: true
  /** Its value is a duration, in seconds. */
  countsSeconds?: true
  calendar?: 'day' | 'moment' | 'month'
  /** A text of several lines. */
  isMultiline?: true
  /** A telephone number, which can be called. */
  isPhone?: true
  /** A code, which is compared without its spaces. */
  isCode?: true
  /** Most characters of a text without a limit of its own. */
  longest?: number
  /** Its smallest and largest value, whatever its field says. */
  range?: [least: number, most: number]
  /** A number that is written without commas, such as a year. */
  hasNoCommas?: true

  /** How conditions compare it; omitted: they only test whether it is answered. */
  compares?: 'choice' | 'amount' | 'text'
  /** A plain number, which conditions can compare with those of other types. */
  isPlainNumber?: true
  /** The literals that conditions compare it with, and how they are entered; omitted: there are none. */
  literal?: { type: 'number' | 'string'; input?: 'date' | 'time'; written?: string }
  /** How searches by answers compare it; omitted: as conditions do. */
  searches?: 'choice' | 'amount' | 'number' | 'text'
  /** The type that searches ask for its values as; omitted: its own. */
  searchesAs?: FieldType
  /** What calculations take it as. */
  calculates?: Kind
  /** The kinds of result that a calculated field of this type can store. */
  results?: Kind[]
  /** Lists of it have no order that a reader would expect. */
  isUnsorted?: true

  /** An answer in words; omitted, or if it returns undefined: the label of a choice, or the value itself. */
  words?: (value: unknown, field: Field) => string | undefined
  /** The answers that a field takes, for a form in words; omitted: its title with its limits. */
  takesInWords?: (attrs: FieldAttrs) => string
  cell: (typeof CELLS)[number]
  /** Its column in a spreadsheet: how a cell is read and written, what it takes, and Excel's format. */
  sheet: { kind: SheetKind; takes?: string; format?: string }
  /** The space for its answer on paper. */
  paper: PaperSpace
  /** Several controls under a legend, perhaps radio buttons; omitted: one control with a label. */
  controls?: 'set' | 'radios'
  /** Hint under its label, unless the field has one. */
  hint?: string
  /** The values that a screen can offer as buttons. */
  presets?: 'durations' | 'days' | 'choices'
}
