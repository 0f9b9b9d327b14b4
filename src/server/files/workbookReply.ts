import type { Call } from '../call.ts'

/** The reply of an Excel workbook: its content, with the headers that say what it is and its name, which comes without an ending. */
export function workbookReply({ reply }: Call, name: string, content: Buffer) {
  reply
    .header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header('content-disposition', `attachment; filename="${name}.xlsx"`)
  return content
}
