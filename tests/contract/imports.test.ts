import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const SRC = path.resolve(import.meta.dirname, '../../src')
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.(ts|tsx)$/.test(file))

test('no circle of imports has more than five files', () => {
  const circles = circlesOf(new Map(files.map((file) => [file, importsOf(file)])))
  expect(circles.filter((circle) => circle.length > 5).map((circle) => circle.sort().join(' '))).toEqual([])
})

test('no folder imports another that imports it, even by way of others', () => {
  const folders = new Map<string, Set<string>>()
  for (const file of files) {
    const from = path.posix.dirname(file)
    const targets = folders.get(from) ?? new Set()
    for (const one of importsOf(file))
      if (path.posix.dirname(one) !== from) targets.add(path.posix.dirname(one))
    folders.set(from, targets)
  }
  const circles = circlesOf(new Map([...folders].map(([folder, targets]) => [folder, [...targets]])))
  expect(circles.map((circle) => circle.sort().join(' '))).toEqual([])
})

test('the benches import files that there are', () => {
  const bench = path.resolve(SRC, '../tests/bench')
  const modules = readdirSync(bench, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.(mjs|js|jsx)$/.test(file) && !/(^|\/)(node_modules|dist|results)\//.test(file))
  const missing = modules.flatMap((file) => {
    const text = readFileSync(path.join(bench, file), 'utf8')
    const paths = [...text.matchAll(/(?:from |^import |import\()'(\.[^']+)'/gm)].map(
      ([, specifier]) => specifier,
    )
    return paths
      .filter((one) => !existsSync(path.join(bench, path.dirname(file), one)))
      .map((one) => `${file}: ${one}`)
  })
  expect(missing.filter((one) => !one.includes('/dist/'))).toEqual([])
})

/** Files that a file imports, types included; lazy imports are left out. */
function importsOf(file: string): string[] {
  const text = readFileSync(path.join(SRC, file), 'utf8')
  const statements = text.matchAll(/^(?:import|export) [^'"]*?from '(\.[^']+)'/gm)
  return [...statements].map(([, specifier]) => path.posix.join(path.posix.dirname(file), specifier))
}

/** Strongly connected components of more than one file (Tarjan). */
function circlesOf(graph: Map<string, string[]>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (file: string) => {
    index.set(file, index.size)
    low.set(file, index.get(file)!)
    stack.push(file)
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(file, Math.min(low.get(file)!, low.get(next)!))
    }
    if (low.get(file) !== index.get(file)) return
    const circle = stack.splice(stack.indexOf(file))
    if (circle.length > 1) found.push(circle)
  }
  for (const file of graph.keys()) if (!index.has(file)) visit(file)
  return found
}
