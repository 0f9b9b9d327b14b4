import { choiceKey, textKey } from '../../../contract/compareKey.ts'
import { fieldOf } from '../../../contract/entity.ts'
import type { Entity, Field } from '../../../contract/generated.ts'
import { suggest } from '../../../contract/suggest.ts'
import type { Call } from '../../core/call.ts'
import { choicesOf } from '../lookups/choices.ts'
import type { Choices } from './cells.ts'

/** An error in a sheet, with Excel's number of the row and letter of the column. */
export interface SheetError {
  row: number
  column: string
  message: string
}
/** A column of a sheet, and the field of its heading. */
export interface SheetColumn {
  index: number
  letter: string
  field: Field
  choices: Choices
}

/** The columns of a sheet, whose headings are names or titles of fields as in an export, and the errors in them. */
export async function columnsOf(
  call: Call,
  model: Entity,
  headings: unknown[],
): Promise<{ columns: SheetColumn[]; errors: SheetError[] }> {
  const known = Object.entries(model.properties).map(([name, property]) => fieldOf(name, property, false))
  const columns: SheetColumn[] = []
  const errors: SheetError[] = []
  for (const [index, heading] of headings.entries()) {
    const text = String(heading ?? '').trim()
    if (text === '') continue
    const letter = letterOf(index)
    const field = known.find(({ name, label }) => [textKey(name), textKey(label)].includes(textKey(text)))
    const labels = known.map(({ label }) => label)
    if (!field)
      errors.push({ row: 1, column: letter, message: `no column '${text}' here${suggest(text, labels)}` })
    else if (columns.some((one) => one.field === field))
      errors.push({ row: 1, column: letter, message: `'${text}' is there twice` })
    else if (field.name !== 'version')
      columns.push({ index, letter, field, choices: await choicesFor(call, field) })
  }
  if (errors.length === 0 && !columns.some(({ field }) => field.name === 'label'))
    errors.push({ row: 1, column: 'A', message: 'The first row must name the columns; Label is missing' })
  return { columns, errors }
}

/** A column's letter in Excel: A to Z, then AA to AZ. */
export function letterOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last
}

/** Choices by their labels, which an export writes; including retired ones. */
async function choicesFor(call: Call, { attrs }: Field): Promise<Choices> {
  const items =
    attrs?.options ?? (attrs?.lookup ? await choicesOf(call, attrs.lookup, { active: 'false' }) : [])
  return new Map([...items].reverse().map(({ label, value }) => [choiceKey(label), value]))
}
