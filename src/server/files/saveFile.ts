import { sql } from 'kysely'
import type { Call } from '../call.ts'
import { fieldProblem } from '../problems.ts'
import { fileOf, type SentFile } from './multipart.ts'
import { type OfficeFault, officeFault } from './officeFile.ts'

const startsWith =
  (...bytes: number[]): Sniff =>
  (content) =>
    bytes.every((byte, i) => content[i] === byte)
const zip = startsWith(0x50, 0x4b, 0x03, 0x04)
const text: Sniff = (content) => !content.includes(0) && beginsWithoutControls(content)
/**
 * What may be uploaded, by the end of its name: its media type, how its content begins, and of an Office document the
 * folder that its parts stand in.
 */
const FILE_TYPES: Record<string, { type: string; is: Sniff; folder?: string }> = {
  pdf: { type: 'application/pdf', is: startsWith(0x25, 0x50, 0x44, 0x46) },
  png: { type: 'image/png', is: startsWith(0x89, 0x50, 0x4e, 0x47) },
  jpg: { type: 'image/jpeg', is: startsWith(0xff, 0xd8, 0xff) },
  jpeg: { type: 'image/jpeg', is: startsWith(0xff, 0xd8, 0xff) },
  docx: {
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    is: zip,
    folder: 'word/',
  },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    is: zip,
    folder: 'xl/',
  },
  msg: { type: 'application/vnd.ms-outlook', is: startsWith(0xd0, 0xcf, 0x11, 0xe0) },
  eml: { type: 'message/rfc822', is: text },
  csv: { type: 'text/csv', is: text },
  txt: { type: 'text/plain', is: text },
}
/** The ends of names that may be uploaded, for a message. */
const FILE_ENDINGS = Object.keys(FILE_TYPES).join(', ')
const OFFICE_FAULTS: Record<OfficeFault, string> = {
  other: `The file must be one of ${FILE_ENDINGS}, and be what its name says`,
  macros: 'The file holds macros: save it without them',
  tooLarge: 'The file is too large when it is unpacked',
}

const LONGEST_NAME = 255

export interface SavedFile {
  id: number
  name: string
  type: string
  /** In bytes. */
  size: number
}

interface Owner {
  entity: string
  record: number
}

/** Stores the file of a multipart body as the caller's own, or as a record's. */
export function saveUpload(call: Call, owner?: Owner): Promise<SavedFile> {
  return saveFile(call, fileOf(call), owner)
}

/** Stores a file that was sent; the content decides what it is. */
export async function saveFile(call: Call, file: SentFile, owner?: Owner): Promise<SavedFile> {
  const folder = FILE_TYPES[endingOf(plainName(unescaped(file.name)))]?.folder
  const fault = folder && officeFault(file.content, folder)
  if (fault) throw fieldProblem({ file: [OFFICE_FAULTS[fault]] })
  return storeFile(call, file, owner)
}

/** The same without a look at the parts of an Office document, for a workbook that is checked when it is read. */
export async function storeFile(
  call: Call,
  { name: filename, content }: SentFile,
  owner?: Owner,
): Promise<SavedFile> {
  const name = plainName(unescaped(filename))
  const type = fileType(name, content)
  if (!type) throw fieldProblem({ file: [OFFICE_FAULTS.other] })
  const { rows } = await sql<{
    id: number
  }>`insert into files (name, type, size, content, created_by, entity, record)
    values (${name}, ${type}, ${content.length}, ${content}, ${call.me.id}, ${owner?.entity ?? null}, ${owner?.record ?? null})
    returning id`.execute(call.db)
  return { id: rows[0].id, name, type, size: content.length }
}

/** A name without path parts or control characters, not longer than file systems allow; its end is kept. */
export function plainName(name = 'file'): string {
  const plain = name.split(/[/\\]/).at(-1)!.replaceAll(/\p{C}/gu, '').trim() || 'file'
  return plain.length > LONGEST_NAME ? plain.slice(0, 200) + plain.slice(-20) : plain
}

/** Browsers write a quote in the name of a multipart file as %22, because it would end the name. */
function unescaped(name: string | undefined): string | undefined {
  return name?.replaceAll('%22', '"')
}

type Sniff = (content: Buffer) => boolean

/** The media type of a file whose name and content agree; undefined for any other. */
function fileType(name: string, content: Buffer): string | undefined {
  const known = FILE_TYPES[endingOf(name)]
  return known?.is(content) ? known.type : undefined
}

function endingOf(name: string): string {
  return name.split('.').at(-1)!.toLowerCase()
}

/** Whether the first 4 KB hold no control characters but those of text (tabs, ends of lines and pages, escapes), in any encoding. */
function beginsWithoutControls(content: Buffer): boolean {
  return !content.subarray(0, 4096).some((byte) => byte < 9 || (byte > 13 && byte < 27))
}
