/**
 * What each page of a table { name: { files, limit } } loads before it shows: the scripts that its source files
 * import statically, and the style sheet. `sizeOf` gives an output's bytes on the wire; files that are not written
 * yet are named in `missing`.
 */
export function pageSizes(metafile, pages, sizeOf, styleSize) {
  const { inputs, outputs } = metafile
  const outputOf = (source) => Object.keys(outputs).find((name) => outputs[name].entryPoint === source)
  return Object.entries(pages).map(([name, { files, limit }]) => {
    const loaded = new Set()
    const load = (output) => {
      if (loaded.has(output)) return
      loaded.add(output)
      for (const { path, kind, external } of outputs[output].imports)
        if (kind === 'import-statement' && !external) load(path)
    }
    files.map(outputOf).filter(Boolean).forEach(load)
    const scripts = [...loaded].reduce((sum, output) => sum + sizeOf(output), 0)
    return { name, bytes: scripts + styleSize, limit, missing: files.filter((source) => !inputs[source]) }
  })
}
