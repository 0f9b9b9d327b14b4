type Sniff = (content: Buffer) => boolean

const startsWith =
  (...bytes: number[]): Sniff =>
  (content) =>
    bytes.every((byte, i) => content[i] === byte)
const zip = startsWith(0x50, 0x4b, 0x03, 0x04)
const text: Sniff = (content) => !content.includes(0) && beginsWithoutControls(content)

/** What may be uploaded, by the end of its name: its media type and how its content begins. */
const FILE_TYPES: Record<string, { type: string; is: Sniff }> = {
  pdf: { type: 'application/pdf', is: startsWith(0x25, 0x50, 0x44, 0x46) },
  png: { type: 'image/png', is: startsWith(0x89, 0x50, 0x4e, 0x47) },
  jpg: { type: 'image/jpeg', is: startsWith(0xff, 0xd8, 0xff) },
  jpeg: { type: 'image/jpeg', is: startsWith(0xff, 0xd8, 0xff) },
  docx: { type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', is: zip },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', is: zip },
  msg: { type: 'application/vnd.ms-outlook', is: startsWith(0xd0, 0xcf, 0x11, 0xe0) },
  eml: { type: 'message/rfc822', is: text },
  csv: { type: 'text/csv', is: text },
  txt: { type: 'text/plain', is: text },
}

/** The media type of a file whose name and content agree; undefined for any other. */
export function fileType(name: string, content: Buffer): string | undefined {
  const known = FILE_TYPES[name.split('.').at(-1)!.toLowerCase()]
  return known?.is(content) ? known.type : undefined
}

/** The ends of names that may be uploaded, for a message. */
export const FILE_ENDINGS = Object.keys(FILE_TYPES).join(', ')

/** Whether the first 4 KB hold no control characters but those of text (tabs, ends of lines and pages, escapes), in any encoding. */
function beginsWithoutControls(content: Buffer): boolean {
  return !content.subarray(0, 4096).some((byte) => byte < 9 || (byte > 13 && byte < 27))
}
