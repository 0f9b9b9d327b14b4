import { FIELD_TYPES, hasPoints, takesSeveralChoices } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { describeScale } from '../../../contract/scale.ts'
import type { Call } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { inThread } from '../../records/files/inThread.ts'
import { MAX_ROWS } from '../../records/files/readWorkbook.ts'
import { choicesOf } from '../../records/lookups/choices.ts'
import type { CaseType } from '../cases/newRecord.ts'
import { TEMPLATE } from './readUpload.ts'
import type { Target } from './targets.ts'

const THREAD_LIMITS = { milliseconds: 20_000, megabytes: 256 }
/** Maximum number of choices in a drop-down list. */
const MAX_CHOICES = 1000

/** An empty workbook for cases of a case type: the sheets data and help, and a hidden sheet with the choices. */
export async function templateFor(call: Call, type: CaseType, targets: Target[]): Promise<Buffer> {
  const columns = []
  for (const { heading, part, field } of targets) {
    const choices = await labelsOf(call, type, field)
    const isRequired = field.attrs?.required === true && field.attrs.when === undefined
    const help = [
      heading,
      part,
      isRequired ? 'Yes' : field.attrs?.required || field.attrs?.required_when ? 'Sometimes' : 'No',
      [formatOf(field), field.attrs?.help].filter(Boolean).join('. ') || 'Text',
    ]
    const { format } = FIELD_TYPES[field.type].sheet
    columns.push({ heading, help, choices, format, isOne: !takesSeveralChoices(field) })
  }
  const properties = { [TEMPLATE.caseType]: type.id, [TEMPLATE.version]: type.version }
  const content = await inThread<Uint8Array>(
    CODE,
    { columns, properties, lastRow: MAX_ROWS + 1 },
    THREAD_LIMITS,
  )
  if (!content) throw problem('serverError')
  return Buffer.from(content)
}

function formatOf({ type, attrs }: Field): string | undefined {
  if (hasPoints({ type })) return `A number from ${describeScale(attrs)}`
  if (attrs?.pattern) return `Text such as ${attrs.pattern.example}`
  return attrs?.known_only ? 'Yes or No' : FIELD_TYPES[type].sheet.takes
}

async function labelsOf(call: Call, { service }: CaseType, { type, attrs }: Field): Promise<string[]> {
  const { ownChoices, points } = FIELD_TYPES[type]
  if (ownChoices) return ownChoices(attrs).map(({ label }) => label)
  if (points) return points(attrs).map(String)
  if (attrs?.options) return attrs.options.filter(({ active }) => active !== false).map(({ label }) => label)
  if (!attrs?.lookup) return []
  // Only the service is known here: a list that depends on another column has all choices.
  const params = Object.fromEntries(
    Object.entries(attrs.lookup_params ?? {}).flatMap(([name, value]) => {
      if (value === '$case.service') return [[name, String(service)]]
      return String(value).startsWith('$') ? [] : [[name, String(value)]]
    }),
  )
  const items = await choicesOf(call, attrs.lookup, params)
  return [...new Set(items.filter(({ active }) => active !== false).map(({ label }) => label))].slice(
    0,
    MAX_CHOICES,
  )
}

/**
 * The free edition of xlsx writes neither drop-down lists nor formats of whole columns, so they are added to the
 * sheet's XML; a column gets the style of its heading.
 */
const CODE = `
const { parentPort, workerData } = require('node:worker_threads')
const xlsx = require(workerData.xlsx)
const { columns, properties, lastRow } = workerData
const book = xlsx.utils.book_new()
const data = xlsx.utils.aoa_to_sheet([columns.map(({ heading, format }) => ({ t: 's', v: heading, ...(format && { z: format }) }))])
data['!cols'] = columns.map(({ heading }) => ({ wch: Math.min(40, Math.max(12, heading.length + 2)) }))
const help = xlsx.utils.aoa_to_sheet([['Column', 'Of the', 'Required', 'What it takes'], ...columns.map(({ help }) => help)])
help['!cols'] = [{ wch: 40 }, { wch: 12 }, { wch: 12 }, { wch: 80 }]
const longest = Math.max(0, ...columns.map(({ choices }) => choices.length))
const lists = xlsx.utils.aoa_to_sheet([
  columns.map(({ heading }) => heading),
  ...Array.from({ length: longest }, (_, i) => columns.map(({ choices }) => choices[i] ?? null)),
])
xlsx.utils.book_append_sheet(book, data, 'data')
xlsx.utils.book_append_sheet(book, help, 'help')
xlsx.utils.book_append_sheet(book, lists, 'lists')
book.Workbook = { Sheets: [{}, {}, { Hidden: 1 }] }
book.Custprops = properties
const written = xlsx.write(book, { type: 'buffer', bookType: 'xlsx' })
const zip = xlsx.CFB.read(written, { type: 'buffer' })
const sheet = xlsx.CFB.find(zip, '/xl/worksheets/sheet1.xml')
const offered = columns.flatMap(({ choices, isOne }, i) => {
  if (!isOne || choices.length === 0) return []
  const letter = xlsx.utils.encode_col(i)
  return '<dataValidation type="list" allowBlank="1" sqref="' + letter + '2:' + letter + lastRow + '"><formula1>lists!$'
    + letter + '$2:$' + letter + '$' + (choices.length + 1) + '</formula1></dataValidation>'
})
const xml = Buffer.from(sheet.content).toString('utf8')
const styles = new Map(Array.from(xml.matchAll(/<c r="([A-Z]+)1" s="(\\d+)"/g), ([, letter, style]) => [letter, style]))
const styled = xml.replace(/<col min="(\\d+)"/g, (tag, number) => {
  const style = styles.get(xlsx.utils.encode_col(Number(number) - 1))
  return style ? tag + ' style="' + style + '"' : tag
})
const patched = styled.replace('</sheetData>', '</sheetData>' + (offered.length > 0
  ? '<dataValidations count="' + offered.length + '">' + offered.join('') + '</dataValidations>' : ''))
sheet.content = Buffer.from(patched)
sheet.size = sheet.content.length
const content = new Uint8Array(xlsx.CFB.write(zip, { type: 'buffer', fileType: 'zip', compression: true }))
parentPort.postMessage(content, [content.buffer])
`
