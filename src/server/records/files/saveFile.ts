import { sql } from 'kysely'
import { normaliseLine } from '../../../contract/normalise.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import type { SentFile } from '../../core/sentFile.ts'
import type { Settings } from '../../core/settings.ts'
import { putContent } from './content.ts'
import { isWideText } from './decodeText.ts'
import { fileOf } from './multipart.ts'
import { type OfficeFault, officeFault } from './officeFile.ts'

const startsWith =
  (...bytes: number[]): Sniff =>
  (content) =>
    bytes.every((byte, i) => content[i] === byte)
const zip = startsWith(0x50, 0x4b, 0x03, 0x04)
const text: Sniff = (content) =>
  (!content.includes(0) && beginsWithoutControls(content)) || isWideText(content)
/**
 * File types by extension: the media type, a test of the content, and the folder of an Office document's parts.
 */
type FileTypes = Record<string, { type: string; is: Sniff; folder?: string }>

/** Types that may be uploaded for a record. */
const FILE_TYPES: FileTypes = {
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

/** The messages of faults in Office documents. */
const OFFICE_FAULTS: Record<OfficeFault, string> = {
  other: wrongType(FILE_TYPES),
  macros: 'The file holds macros: save it without them',
  tooLarge: 'The file is too large when it is unpacked',
}

/** Types of pictures that pages render. */
export const PICTURE_TYPES: FileTypes = {
  png: FILE_TYPES.png,
  jpg: FILE_TYPES.jpg,
  jpeg: FILE_TYPES.jpeg,
  webp: {
    type: 'image/webp',
    is: (content) =>
      content.toString('latin1', 0, 4) === 'RIFF' && content.toString('latin1', 8, 12) === 'WEBP',
  },
}

const MAX_NAME_LENGTH = 255

interface SavedFile {
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

/**
 * Puts files of accepted types into the object storage, if there is one. Call it before a transaction, whose connection
 * would wait for the storage.
 */
export async function putFiles(settings: Settings, files: SentFile[]): Promise<void> {
  for (const file of files) {
    const name = plainName(unescaped(file.name))
    const isAccepted = [FILE_TYPES, PICTURE_TYPES].some((types) => fileType(types, name, file.content))
    if (isAccepted) file.stored = await putContent(settings, file.content)
  }
}

/** Stores the file of a multipart body, as a file of the caller or of a record. */
export function saveUpload(call: Call, owner?: Owner, types?: FileTypes): Promise<SavedFile> {
  return saveFile(call, fileOf(call), owner, types)
}

/** Stores an uploaded file, whose content must match its extension. */
export async function saveFile(
  call: Call,
  file: SentFile,
  owner?: Owner,
  types = FILE_TYPES,
): Promise<SavedFile> {
  const folder = typeOf(types, plainName(unescaped(file.name)))?.folder
  const fault = folder && officeFault(file.content, folder)
  if (fault) throw fieldProblem({ file: [OFFICE_FAULTS[fault]] })
  return storeFile(call, file, owner, types)
}

/** The same without validating Office documents, for workbooks that are validated when they are read. */
export async function storeFile(
  call: Call,
  file: SentFile,
  owner?: Owner,
  types = FILE_TYPES,
): Promise<SavedFile> {
  const { content } = file
  const name = plainName(unescaped(file.name))
  const type = fileType(types, name, content)
  if (!type) throw fieldProblem({ file: [wrongType(types)] })
  const stored = file.stored ?? (await putContent(call.settings, content))
  const { rows } = await sql<{
    id: number
  }>`insert into files (name, type, size, content, storage_key, sha256, created_by, entity, record)
    values (${name}, ${type}, ${content.length}, ${stored ? null : content}, ${stored?.key ?? null}, ${stored?.sha256 ?? null},
      ${call.me.id}, ${owner?.entity ?? null}, ${owner?.record ?? null})
    returning id`.execute(call.db)
  return { id: rows[0].id, name, type, size: content.length }
}

/** A name without path or control characters, shortened in the middle to the limit of file systems. */
export function plainName(name = 'file'): string {
  const plain = normaliseLine(name.split(/[/\\]/).at(-1)!).replaceAll(/\p{C}/gu, '').trim() || 'file'
  return plain.length > MAX_NAME_LENGTH ? plain.slice(0, 200) + plain.slice(-20) : plain
}

/** Restores quotes in the name of a multipart file, which browsers escape as %22. */
function unescaped(name: string | undefined): string | undefined {
  return name?.replaceAll('%22', '"')
}

type Sniff = (content: Buffer) => boolean

/** The accepted type of a file by its extension, which may be any word, such as '__proto__'. */
function typeOf(types: FileTypes, name: string): FileTypes[string] | undefined {
  const extension = extensionOf(name)
  return Object.hasOwn(types, extension) ? types[extension] : undefined
}

/** The media type of a file; undefined if its name has no accepted extension, or its content does not match. */
function fileType(types: FileTypes, name: string, content: Buffer): string | undefined {
  const known = typeOf(types, name)
  return known?.is(content) ? known.type : undefined
}

function wrongType(types: FileTypes): string {
  return `The file must be one of ${Object.keys(types).join(', ')}, and be what its name says`
}

function extensionOf(name: string): string {
  return name.split('.').at(-1)!.toLowerCase()
}

/** True if the first 4 KB have no control characters except those of texts (tabs, line and page breaks, escapes). */
function beginsWithoutControls(content: Buffer): boolean {
  return !content.subarray(0, 4096).some((byte) => byte < 9 || (byte > 13 && byte < 27))
}
