/**
 * Classes of characters as they stand inside the brackets of a regular expression. The SQL function text_key has the
 * same ones, and a test compares the two.
 */

/** Control and format characters without a glyph, bidirectional marks, and letters and marks that are rendered blank. */
export const INVISIBLE =
  '\\u0000-\\u0008\\u000E-\\u001F\\u007F-\\u0084\\u0086-\\u009F\\u00AD\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFEFF\\uFFA0\\uFFF9-\\uFFFB'
/** White space of all kinds. */
export const BLANK =
  '\\u0009-\\u000D\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000'
/** Line breaks other than the line feed. */
export const LINE_BREAK = '\\u000B-\\u000D\\u0085\\u2028\\u2029'
/** Straight and curly apostrophes, and what people type instead of them. */
export const APOSTROPHE = "'`\\u00B4\\u2018\\u2019\\u201B\\u02B9\\u02BB\\u02BC\\u02BD\\u2032"
/** Hyphens, dashes and the minus sign. */
export const DASH = '\\u002D\\u2010-\\u2015\\u2212'
