import type { Call } from '../call.ts'

/** Sends an Excel workbook under a name without its ending. */
export function sendWorkbook({ reply }: Call, name: string, content: Buffer) {
  reply
    .header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header('content-disposition', `attachment; filename="${name}.xlsx"`)
  return content
}
