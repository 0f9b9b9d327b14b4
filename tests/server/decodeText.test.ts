import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { decodeText, textReadings } from '../../src/server/records/files/decodeText.ts'

const PEOPLE = 'First name,Last name\r\nPat,O’Brien\r\nZoë,Müller\r\nJosé,£5 – “ok”\r\n'

describe('the text of a file', () => {
  it.each([
    ['utf-8', PEOPLE],
    ['utf-8', `\uFEFF${PEOPLE}`],
    ['utf-16le', `\uFEFF${PEOPLE}`],
    ['utf-16be', `\uFEFF${PEOPLE}`],
    ['utf-16le', PEOPLE],
    ['utf-16be', PEOPLE],
    ['utf-32le', `\uFEFF${PEOPLE}`],
    ['utf-32be', `\uFEFF${PEOPLE}`],
    ['windows-1252', PEOPLE],
    ['macintosh', PEOPLE],
    ['cp850', 'First name,Last name\r\nZoë,Müller\r\nJosé,£5\r\n'],
    ['windows-1252', 'Ann’s'],
    ['windows-1252', 'O’BRIEN'],
    ['windows-1252', '1990–1995'],
    ['windows-1252', 'García'],
  ])('is read as %s without a letter lost: %j', (encoding, text) => {
    const content = iconv.encode(text, encoding)
    const read = textReadings(content)
    expect(read).toEqual({ clear: encoding })
    expect(decodeText(content, encoding as never)).toBe(text.replace('\uFEFF', ''))
  })

  it.each([
    ['macintosh', 'García', ['Garc’a', 'García']],
    ['windows-1252', 'JOSÉ', ['JOSÉ', 'JOS…']],
    ['windows-1251', 'Иван', ['Èâàí']],
  ])('asks a question if %s is not clear: %s', (encoding, text, words) => {
    const read = textReadings(iconv.encode(text, encoding))
    expect('possible' in read && read.possible.flatMap((one) => one.words)).toEqual(words)
  })

  it.each([
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0x0d, 0x49, 0x48])],
    ['zeros', Buffer.alloc(100)],
  ])('is none in %s', (_, content) => {
    expect(textReadings(content)).toEqual({ possible: [] })
  })

  it('is compared by some places only, so that a large file takes no longer', () => {
    const content = iconv.encode('Zoë,Müller\n'.repeat(500_000), 'windows-1252')
    expect(textReadings(content)).toEqual({ clear: 'windows-1252' })
  })
})
