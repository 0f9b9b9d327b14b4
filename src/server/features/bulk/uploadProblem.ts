import type { SentFile } from '../../core/sentFile.ts'
import { isWideText } from '../../records/files/decodeText.ts'
import { zipContents } from '../../records/files/zip.ts'

/** Extensions of spreadsheets that are not accepted, with messages that say what to do. */
const REFUSED: Record<string, string> = {
  xlsm: 'A workbook with macros cannot be uploaded: save it as an .xlsx workbook without them',
  xlsb: 'A binary workbook cannot be uploaded: save it as an .xlsx workbook',
  xls: 'An old Excel workbook cannot be uploaded: save it as an .xlsx workbook',
  ods: 'An OpenDocument spreadsheet cannot be uploaded: save it as an .xlsx workbook',
}

/** The problem of a file that can be seen before it is read, in a sentence. */
export function uploadProblem({ name = '', content }: SentFile): string | undefined {
  const extension = name.split('.').at(-1)!.toLowerCase()
  if (content.length === 0) return 'The file is empty'
  if (extension === 'csv')
    return !content.includes(0) || isWideText(content)
      ? undefined
      : 'The file is not text, as a .csv file must be'
  if (extension !== 'xlsx') return REFUSED[extension] ?? 'The file must be an .xlsx or .csv file'
  return zipContents(content)
    ? undefined
    : 'The file is not an Excel workbook, although its name ends in .xlsx'
}
