import { zipContents } from './zip.ts'

/** Why a file is not accepted as an Office document. */
export type OfficeFault = 'other' | 'macros' | 'tooLarge'

/** Maximum size of all unpacked parts, in bytes. */
const MAX_UNPACKED_BYTES = 120 * 1024 * 1024
const MAX_ENTRIES = 1000

/**
 * The fault of an Office document whose parts are in this folder ('word/', 'xl/'); undefined if it is valid. Only the
 * central directory of the zip is read; nothing is unpacked.
 */
export function officeFault(content: Buffer, folder: string): OfficeFault | undefined {
  const contents = zipContents(content)
  if (!contents?.names.some((name) => name.startsWith(folder))) return 'other'
  if (!contents.names.includes('[Content_Types].xml') || contents.names.some(leavesFolder)) return 'other'
  if (contents.names.some((name) => /vbaProject/i.test(name))) return 'macros'
  if (contents.names.length > MAX_ENTRIES || contents.size > MAX_UNPACKED_BYTES) return 'tooLarge'
  return undefined
}

/** True if the name of a part would escape the folder into which the document is unpacked. */
function leavesFolder(name: string): boolean {
  return name.startsWith('/') || name.includes('\\') || name.split('/').includes('..')
}
