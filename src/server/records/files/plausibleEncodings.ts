import iconv from 'iconv-lite'
import { LEGACY_ENCODINGS, type LegacyEncoding, type TextReadings } from './decodeText.ts'

/** Maximum number of bytes above 127 that are compared, and of bytes around each. */
const MAX_PLACES = 2000
const AROUND = 24
const MAX_WORDS = 3
const MAX_WORD_LENGTH = 40

/** Everything but ASCII, the letters of western Europe, and the signs that people type. */
const IMPOSSIBLE = /[^\t\n\r -~\u00a0À-ÖØ-öø-ÿŠšŽžŒœŸ‘’“”‚„–—…•«»¿¡£€§©®°±½¼¾²³¹ªº´µ×™¢¥]/u
/** What a right reading rarely has. */
const STRANGE = [
  // A capital after a small letter, or inside a word with small letters: 'JosŽ', 'OÕBrien'.
  /(?<=\p{Ll})[À-ÖØ-ÞŠŽŒŸ]|(?<=\p{L})[À-ÖØ-ÞŠŽŒŸ](?=\p{L}*\p{Ll})/gu,
  // A small letter before a capital or among capitals: 'OíBrien', 'JOSé'.
  /[ß-öø-ÿšžœ](?=\p{Lu})|(?<=\p{Lu}\p{Lu})[ß-öø-ÿšžœ]/gu,
  // A letter at a number or by itself: 'ú5', '1990ñ1995', ' ñ '.
  /(?<=\p{N})[À-ÖØ-öø-ÿŠšŽžŒœŸ]|[À-ÖØ-öø-ÿŠšŽžŒœŸ](?=\p{N})|(?<![\p{L}’'])[ÁÂ-ÖØ-ßá-öø-ÿŠšŽžŒœŸ](?![\p{L}’'])/gu,
  // More than two such letters together, as in other scripts: 'Èâàí'.
  /[À-ÖØ-öø-ÿŠšŽžŒœŸ]{3,}/gu,
  // A sign inside a word, and an opening one after a letter: 'M³ller', 'Zo‘'.
  /(?<=\p{L})[‘“‚„«¿¡£€§©®°±½¼¾²³¹´µ×™¢¥•]|[…£€¢¥](?=\p{L})/gu,
]
/** What only a right reading has: 'O’Brien', 'Ann’s', quotation marks around words. */
const USUAL =
  /(?<![\p{L}])[ODLM]’(?=\p{Lu})|(?<=\p{L})’(?=(s|t|ll|re|ve|d|m)(?!\p{L}))|(?<![\p{L}\p{N}])[“‘](?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}.!?])”(?![\p{L}\p{N}])/giu

/** Finds the encoding of bytes that are not UTF-8: it is clear if one reading is less strange than all others. */
export function plausibleEncodings(content: Buffer): TextReadings {
  const places = sampleOf(content)
  const readings = (Object.keys(LEGACY_ENCODINGS) as LegacyEncoding[]).flatMap((encoding) => {
    const text = places.map((place) => iconv.decode(place, encoding)).join('\n')
    if (IMPOSSIBLE.test(text)) return []
    const strange = STRANGE.reduce((sum, pattern) => sum + countOf(text, pattern), 0)
    return [{ encoding, text, strange, score: strange - countOf(text, USUAL) }]
  })
  const least = Math.min(...readings.map(({ score }) => score))
  const best = readings.filter(({ score }) => score === least)
  const isSame = best.every(({ text }) => text === best[0].text)
  if (best.length > 0 && isSame && best[0].strange === 0) return { clear: best[0].encoding }
  // If even the best is strange, each may be right.
  const possible = isSame ? readings : best
  return { possible: possible.map(({ encoding, text }) => ({ encoding, words: unusualWords(text) })) }
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/** Pieces of the content around bytes above 127, as whole lines or cells where they are short. */
function sampleOf(content: Buffer): Buffer[] {
  const pieces: Buffer[] = []
  let found = 0
  for (let i = 0; i < content.length && found < MAX_PLACES; i++) {
    if (content[i] < 128) continue
    let start = i
    while (start > 0 && i - start < AROUND && content[start - 1] >= 32) start--
    let end = i + 1
    let last = i
    while (end < content.length && content[end] >= 32 && end - last <= AROUND) {
      if (content[end] >= 128) {
        found++
        last = end
      }
      end++
    }
    found++
    pieces.push(content.subarray(start, end))
    i = end
  }
  return pieces
}

function unusualWords(text: string): string[] {
  const words = new Set<string>()
  for (const [word] of text.matchAll(/[^\s",;]*[^\s -~][^\s",;]*/gu)) {
    words.add(word.slice(0, MAX_WORD_LENGTH))
    if (words.size === MAX_WORDS) break
  }
  return [...words]
}
