/** Control characters other than tabs and line breaks: mostly bytes of a text that was read in the wrong encoding. */
const CONTROL = '[\\u0000-\\u0008\\u000E-\\u001F\\u007F-\\u009F]'

/** Tests of a text of a file, with what is wrong if one matches, as the end of a sentence about the cell. */
export const UNSTORABLE: [pattern: string, words: string][] = [
  [CONTROL, 'holds a control character: type it again'],
  ['\\uFFFD', 'holds �, which stands for a letter that was lost when the file was saved: type it again'],
  ['[\\uD800-\\uDFFF]', 'holds a character that cannot be stored'],
]
