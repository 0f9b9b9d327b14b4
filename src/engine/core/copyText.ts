/** Copies a text to the clipboard; resolves to false if the browser forbids it, as it does without HTTPS. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
