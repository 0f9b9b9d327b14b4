const END = 0x06054b50
const ENTRY = 0x02014b50

/** The central directory of a zip. */
interface ZipContents {
  names: string[]
  /** Size of all its files when unpacked, in bytes. */
  size: number
}

/** Reads the central directory of a zip without unpacking anything; undefined if it is no zip. */
export function zipContents(content: Buffer): ZipContents | undefined {
  const from = Math.max(0, content.length - 65_557)
  const end = content.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < from || content.length < end + 22 || content.readUInt32LE(end) !== END) return undefined
  const entries = content.readUInt16LE(end + 10)
  let at = content.readUInt32LE(end + 16)
  let size = 0
  const names: string[] = []
  for (let i = 0; i < entries; i++) {
    if (at + 46 > content.length || content.readUInt32LE(at) !== ENTRY) return undefined
    size += content.readUInt32LE(at + 24)
    const length = content.readUInt16LE(at + 28)
    names.push(content.toString('utf8', at + 46, at + 46 + length))
    at += 46 + length + content.readUInt16LE(at + 30) + content.readUInt16LE(at + 32)
  }
  return { names, size }
}
