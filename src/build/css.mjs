const TOKEN = /\bbp\d+-[a-z0-9-]*/g
const TRANSITION = /-(appear|enter|exit)(-active|-done)?$/

// Only the light theme is used, and icons are SVG, not characters of a font.
const UNUSED = /\.bp\d+-dark\b|\[data-bp-color-scheme=dark\]|\.bp\d+-icon-[\w-]+:before/

/**
 * Returns a predicate that is true for a class of the library if scripts contain its whole name, or a prefix from which
 * they build names at run time.
 */
export function mentionedIn(scripts) {
  const found = new Set(scripts.flatMap((script) => script.match(TOKEN) ?? []))
  const beginnings = [...found].filter((name) => name.endsWith('-'))
  return (name) => {
    const stem = name.replace(TRANSITION, '')
    return found.has(name) || found.has(stem) || beginnings.some((beginning) => name.startsWith(beginning))
  }
}

/** The top-level rules of a style sheet, as texts; strings, comments and nested braces stay whole. */
function* rulesOf(css) {
  const sign = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\*.*?\*\/|[{};]/gs
  let depth = 0
  let start = 0
  for (const { 0: text, index } of css.matchAll(sign)) {
    if (text === '{') depth++
    if (text === '}') depth--
    if (depth === 0 && (text === '}' || text === ';')) {
      yield css.slice(start, index + 1).trim()
      start = index + 1
    }
  }
}

/** Splits a list of selectors at its commas, except those in brackets. */
function selectorsOf(prelude) {
  const cuts = []
  let depth = 0
  for (const { 0: text, index } of prelude.matchAll(/[()[\],]/g)) {
    if (text === '(' || text === '[') depth++
    else if (text !== ',') depth--
    else if (depth === 0) cuts.push(index)
  }
  return [...cuts, prelude.length].map((end, at) => prelude.slice(at ? cuts[at - 1] + 1 : 0, end))
}

// Classes in brackets are ignored: `:not(.a)` matches where `a` is never used, `[class*=a]` means many.
const classesOf = (selector) =>
  selector.replace(/\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]/g, '').match(TOKEN) ?? []

/** Removes from a minified style sheet the selectors with a library class for which `mentioned` is false. */
export function keepUsed(css, mentioned) {
  const usedByName = new Map()
  const isUsed = (name) => {
    if (!usedByName.has(name)) usedByName.set(name, mentioned(name))
    return usedByName.get(name)
  }
  const keep = (rule) => {
    const open = rule.indexOf('{')
    if (open < 0) return rule
    const prelude = rule.slice(0, open)
    if (/^@(media|supports|container|layer)\b/.test(prelude)) {
      const inside = [...rulesOf(rule.slice(open + 1, -1))].map(keep).join('')
      return inside && `${prelude}{${inside}}`
    }
    if (prelude.startsWith('@')) return rule
    const left = selectorsOf(prelude).filter((text) => !UNUSED.test(text) && classesOf(text).every(isUsed))
    return left.length ? left.join(',') + rule.slice(open) : ''
  }
  return [...rulesOf(css)].map(keep).join('')
}
