import { zipContents } from './zip.ts'

/** Why a file is no Office document that may be taken. */
export type OfficeFault = 'other' | 'macros' | 'tooLarge'

/** Bytes of all parts when unpacked. */
const LARGEST = 120 * 1024 * 1024
const MOST_ENTRIES = 1000

/**
 * What is wrong with an Office document whose parts stand in this folder ('word/', 'xl/'); undefined for one that is what
 * its name says. Only the table of contents of the zip is read: nothing is unpacked.
 */
export function officeFault(content: Buffer, folder: string): OfficeFault | undefined {
  const contents = zipContents(content)
  if (!contents?.names.some((name) => name.startsWith(folder))) return 'other'
  if (!contents.names.includes('[Content_Types].xml') || contents.names.some(leavesFolder)) return 'other'
  if (contents.names.some((name) => /vbaProject/i.test(name))) return 'macros'
  if (contents.names.length > MOST_ENTRIES || contents.size > LARGEST) return 'tooLarge'
  return undefined
}

/** Whether the name of a part would lead out of the folder that somebody unpacks the document into. */
function leavesFolder(name: string): boolean {
  return name.startsWith('/') || name.includes('\\') || name.split('/').includes('..')
}
