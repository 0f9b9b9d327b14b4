import iconv from 'iconv-lite'
import { plausibleEncodings } from './plausibleEncodings.ts'

/** Encodings of a text file that says nothing about its encoding, with the programs that write them. */
export const LEGACY_ENCODINGS = {
  'windows-1252': 'Windows',
  macintosh: 'an old Mac',
  cp850: 'MS-DOS',
}
export type LegacyEncoding = keyof typeof LEGACY_ENCODINGS
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be' | LegacyEncoding

/** The encoding of a text, or readings of which a person must say which is right; none if the bytes are no text. */
export type TextReadings = { clear: Encoding } | { possible: TextReading[] }
/** A reading of a file's bytes as text. */
export interface TextReading {
  encoding: LegacyEncoding
  /** Some of its words that are not plain ASCII. */
  words: string[]
}

export const HOW_TO_SAVE = "In Excel choose 'Save As', then 'CSV UTF-8 (Comma delimited)'"

/** Byte order marks. UTF-32 comes before UTF-16, because its mark begins with that of UTF-16. */
const MARKS: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
/** Bytes in which the encoding of a file without a mark is searched. */
const SAMPLE_BYTES = 64 * 1024
/** Bytes at the beginning of a text that are searched for control characters. */
const BEGINNING = 4096
const CONTROL = /(?![\t-\r])[\p{Cc}\uFFFD]/u
/** Share of the characters of a text that are ASCII, so that every second byte is 0 in UTF-16. */
const ASCII_SHARE = 0.5

/**
 * Finds the encoding of a file's bytes. TextDecoder is used for UTF-8 only: that of Node 20 reads Windows-1252 as
 * Latin-1.
 */
export function textReadings(content: Buffer): TextReadings {
  const clear = markedEncoding(content) ?? unmarkedUtf16(content)
  if (clear) return { clear }
  if (content.includes(0)) return { possible: [] }
  return isUtf8(content) ? { clear: 'utf-8' } : plausibleEncodings(content)
}

/** True if bytes begin as a text in UTF-16 or UTF-32, whose characters have zeros. */
export function isWideText(content: Buffer): boolean {
  const read = content.includes(0) ? textReadings(content) : undefined
  if (!read || !('clear' in read)) return false
  return !CONTROL.test(decodeText(content.subarray(0, BEGINNING), read.clear))
}

/** Decodes a file's bytes, without a byte order mark. */
export function decodeText(content: Buffer, encoding: Encoding): string {
  return iconv.decode(content, encoding, { stripBOM: true })
}

function markedEncoding(content: Buffer): Encoding | undefined {
  return MARKS.find(([, mark]) => mark.every((byte, i) => content[i] === byte))?.[0]
}

/** UTF-16 without a mark, by its zeros: at odd places if its low bytes come first. */
function unmarkedUtf16(content: Buffer): Encoding | undefined {
  if (content.length % 2 === 1) return undefined
  const sample = content.subarray(0, SAMPLE_BYTES)
  const zeros = [0, 0]
  for (let i = 0; i < sample.length; i++) if (sample[i] === 0) zeros[i % 2]++
  const enough = (sample.length / 2) * ASCII_SHARE
  if (zeros[1] > enough && zeros[0] === 0) return 'utf-16le'
  return zeros[0] > enough && zeros[1] === 0 ? 'utf-16be' : undefined
}

function isUtf8(content: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content)
    return true
  } catch {
    return false
  }
}
