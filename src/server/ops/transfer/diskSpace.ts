import { statfs } from 'node:fs/promises'
import { StartProblem } from '../../core/startProblem.ts'

/** Codes of the errors of a full disk, and of an exhausted quota. */
export const DISK_FULL = ['ENOSPC', 'EDQUOT']

/** Free bytes on the disk of a folder; undefined if the system does not report them. */
async function freeBytes(folder: string): Promise<number | undefined> {
  const disk = await statfs(folder).catch(() => undefined)
  return disk && disk.bavail * disk.bsize
}

/** Throws a StartProblem if a folder's disk has less space than something is expected to need. */
export async function refuseFullDisk(
  folder: string,
  needed: number,
  what: string,
  freeOf = freeBytes,
): Promise<void> {
  const free = await freeOf(folder)
  if (free === undefined || free >= needed) return
  throw new DiskFull(
    `The disk of ${folder} has ${sizeInWords(free)} free, and ${what} needs about ${sizeInWords(needed)}. ` +
      'Nothing was written: free some space, or name a folder on another disk.',
  )
}

export class DiskFull extends StartProblem {
  code = 'ENOSPC'
}

export function sizeInWords(bytes: number): string {
  const [size, unit] =
    bytes < 1e6 ? [bytes / 1e3, 'kB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB']
  return `${size.toFixed(1)} ${unit}`
}
