/** A text as it is compared: case, accents and punctuation aside, '&' the word it stands for. */
function plain(text: string): string {
  const letters = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('&', ' and ')
  return letters.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

/** Whether a text has every word, or part of one, that was typed. */
export function matches(text: string, typed: string): boolean {
  const whole = plain(text)
  return plain(typed)
    .split(' ')
    .every((word) => whole.includes(word))
}
