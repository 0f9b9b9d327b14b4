import { createHash } from 'node:crypto'

/**
 * Checksum of the rows of a table that does not depend on their order, which a restored table may store differently.
 */
export interface RowDigest {
  /** Takes the next bytes of a stream in COPY format, which may end within a row. */
  update(chunk: Buffer): void
  rows(): number
  hex(): string
}

const LINE_FEED = 10
const LANES = 4

/** Adds up the SHA-256 of all rows, in four lanes of 64 bits that wrap around. */
export function rowDigest(): RowDigest {
  const sums = new BigUint64Array(LANES)
  let rows = 0
  let begun: Buffer[] = []
  const add = (end: Buffer) => {
    const hash = createHash('sha256')
    for (const part of begun) hash.update(part)
    const digest = hash.update(end).digest()
    for (let lane = 0; lane < LANES; lane++) sums[lane] += digest.readBigUInt64LE(lane * 8)
    rows += 1
    begun = []
  }
  return {
    update(chunk) {
      let from = 0
      // In COPY format each row ends with a line feed, and contains no other.
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
        add(chunk.subarray(from, at))
        from = at + 1
      }
      if (from < chunk.length) begun.push(chunk.subarray(from))
    },
    rows: () => rows,
    hex: () => Buffer.from(sums.buffer).toString('hex'),
  }
}
