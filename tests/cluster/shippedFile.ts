import { readFileSync } from 'node:fs'

/** The text of a file that ships, with addresses and paths of a test in place of its own; each must be in it. */
export function substitute(file: string, replacements: Record<string, string>): string {
  let text = readFileSync(file, 'utf8')
  for (const [own, ours] of Object.entries(replacements)) {
    if (!text.includes(own)) throw new Error(`${file} has no '${own}'.`)
    text = text.replaceAll(own, () => ours)
  }
  return text
}
