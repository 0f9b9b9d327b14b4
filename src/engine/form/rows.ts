/** Paths after a row went: those of later rows move up. */
export function afterRemove(paths: Set<string>, path: string, index: number): Set<string> {
  const moved = [...paths].flatMap((one) => {
    if (!one.startsWith(`${path}.`)) return one
    const [row, ...rest] = one.slice(path.length + 1).split('.')
    if (Number(row) === index) return []
    return [path, Number(row) > index ? Number(row) - 1 : row, ...rest].join('.')
  })
  return new Set(moved)
}

/** A new row's own name, which tells it from the others for as long as the list lives. */
export function newRowId(): string {
  return Math.random().toString(36).slice(2, 10)
}
