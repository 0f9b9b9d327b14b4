/**
 * The bytes that each page of a table { name: { files, styles, limit } } loads before it renders: the scripts that its
 * source files import statically, and its style sheets. `sizeOf` returns an output's bytes on the wire; `missing` lists
 * source files that do not exist yet.
 */
export function pageSizes(metafile, pages, sizeOf, styleSizes) {
  const { inputs, outputs } = metafile
  const outputOf = (source) => Object.keys(outputs).find((name) => outputs[name].entryPoint === source)
  return Object.entries(pages).map(([name, { files, styles, limit }]) => {
    const loaded = new Set()
    const load = (output) => {
      if (loaded.has(output)) return
      loaded.add(output)
      for (const { path, kind, external } of outputs[output].imports)
        if (kind === 'import-statement' && !external) load(path)
    }
    files.map(outputOf).filter(Boolean).forEach(load)
    const scripts = [...loaded].reduce((sum, output) => sum + sizeOf(output), 0)
    return {
      name,
      bytes: styles.reduce((sum, style) => sum + styleSizes[style], scripts),
      limit,
      missing: files.filter((source) => !inputs[source]),
    }
  })
}
