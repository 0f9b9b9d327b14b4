/** A placeholder that is being typed: where its brace stands, and what is typed after it. */
export interface OpenPlaceholder {
  start: number
  typed: string
}

/** What is typed after a brace is longer than any label that is searched for. */
const MAX_LENGTH = 80

/** The placeholder that is open at the caret; doubled braces stand for themselves and open none. */
export function openPlaceholder(text: string, caret: number): OpenPlaceholder | undefined {
  const [, braces, typed] = text.slice(0, caret).match(/(\{+)([^{}\n]*)$/) ?? []
  if (braces === undefined || braces.length % 2 === 0 || typed.length > MAX_LENGTH) return undefined
  return { start: caret - typed.length - 1, typed }
}

export interface TextAtCaret {
  text: string
  caret: number
}

/** The text with a placeholder in place of the open one; a brace that closes it right after the caret is part of it. */
export function withPlaceholder(
  { text, caret }: TextAtCaret,
  { start }: OpenPlaceholder,
  name: string,
): TextAtCaret {
  const placeholder = `{${name}}`
  const rest = text.slice(caret)
  return {
    text: `${text.slice(0, start)}${placeholder}${rest.startsWith('}') ? rest.slice(1) : rest}`,
    caret: start + placeholder.length,
  }
}
