import type { Call } from '../../core/call.ts'

/** The reply with an Excel workbook: sets its headers and returns its content; `name` is without extension. */
export function workbookReply({ reply }: Call, name: string, content: Buffer) {
  reply
    .header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header('content-disposition', `attachment; filename="${name}.xlsx"`)
  return content
}
