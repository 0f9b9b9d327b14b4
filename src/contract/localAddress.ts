/**
 * True if an address leads to a page of this site. Browsers treat '//' and '/\\' as another site, also with a tab or a
 * line break in between, which they ignore; so no path has a backslash, and no address a control character.
 */
export function isLocal(address: string): boolean {
  return /^\/(?!\/)[^\\?#\p{Cc}]*([?#]\P{Cc}*)?$/u.test(address)
}
