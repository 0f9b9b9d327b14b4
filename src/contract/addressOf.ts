/** The parts of an address that is written in one line and ends with its postcode. */
export function addressOf(line: string, postcode: string): Record<string, string> {
  const compact = (text: string) => text.replaceAll(/\s/g, '').toUpperCase()
  const words = line.split(',').map((one) => one.trim())
  const lines = words
    .map((one) => (compact(one) === compact(postcode) ? '' : withoutEnd(one, postcode)))
    .filter((one) => one !== '')
  const [line_1 = '', ...rest] = lines
  const town = rest.pop()
  return { line_1, ...(rest.length > 0 && { line_2: rest.join(', ') }), ...(town && { town }), postcode }
}

/** A text without the postcode at its end, which may be written with or without its space. */
function withoutEnd(text: string, postcode: string): string {
  const letters = [...postcode.replaceAll(/\s/g, '')]
  const ending = new RegExp(`\\s*${letters.join('\\s*')}$`, 'i')
  return text.replace(ending, '').trim()
}
