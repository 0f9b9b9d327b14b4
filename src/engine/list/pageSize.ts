/** Page sizes on offer. */
export const SIZES = [10, 20, 50, 100]
const USUAL = 10

/** The page size this browser remembers under a list's name, or the usual one. */
export function rememberedSize(name: string | undefined): number {
  const size = Number(name && localStorage.getItem(`pageSize.${name}`))
  return SIZES.includes(size) ? size : USUAL
}

/** Remembers a page size under a list's name. */
export function rememberSize(name: string | undefined, size: number): void {
  if (name) localStorage.setItem(`pageSize.${name}`, String(size))
}
