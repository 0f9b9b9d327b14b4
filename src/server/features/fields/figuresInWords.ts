import { isChoice, offeredOptions } from '../../../contract/fieldTypes.ts'
import { inFull, pluralise } from '../../../contract/pluralise.ts'
import type { FormField } from '../../../contract/types/entities.ts'
import type { FieldFigures } from './fieldFigures.ts'
import type { FoundField } from './findField.ts'

type Words = Pick<FormField, 'answered' | 'rows' | 'not_known' | 'open' | 'closed' | 'last_used' | 'counted'>

/** Values of choices which mean that there is no answer. */
const UNKNOWN = ['not_known', 'unknown', 'declined', 'refused', 'not_stated', 'prefer_not_to_say']

export function figuresInWords({ form, field, storedKey }: FoundField, figures: FieldFigures): Words {
  const { records, answered, read, read_answered, open, open_answered, rows, rows_answered } = figures
  return {
    answered: ofAll(answered, records, form),
    rows: storedKey.includes('.') ? ofAll(rows_answered, rows, 'row') : null,
    not_known: unknownInWords(field, figures),
    open: ofAll(open_answered, open, `open ${form}`),
    closed: ofAll(read_answered - open_answered, read - open, `closed ${form}`),
    last_used: figures.last_used,
    counted:
      read < records ? `Open and closed, rows and last use: in the newest ${pluralise(read, form)}` : null,
  }
}

/** '25%'; '<1%' for a small part that is not 0. */
export function percentOf(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0%'
  const percent = Math.round((part / whole) * 100)
  if (percent === 0) return '<1%'
  return percent === 100 && part < whole ? '>99%' : `${percent}%`
}

/** '25%: 1,250 of 5,000 cases'. */
function ofAll(part: number, whole: number, noun: string): string {
  return whole === 0
    ? `No ${noun}s`
    : `${percentOf(part, whole)}: ${inFull(part)} of ${pluralise(whole, noun)}`
}

function unknownInWords(field: FoundField['field'], { chosen, answered }: FieldFigures): string | null {
  if (!isChoice(field)) return null
  const options = field.attrs?.options ?? offeredOptions(field)
  const unknown = options.filter(({ value }) => UNKNOWN.includes(String(value)))
  const words = unknown.map(({ value, label }) => {
    const count = Object.hasOwn(chosen, value) ? chosen[value] : 0
    return `${label}: ${percentOf(count, answered)} of the answers (${inFull(count)})`
  })
  return words.length > 0 ? words.join('; ') : null
}
