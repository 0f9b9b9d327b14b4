import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Prints rows of texts under their heads; the first column is left, the others right. */
export function printTable(title, heads, rows) {
  const lines = [heads, ...rows].map((row) => row.map(String))
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  const pad = (text, column) => (column === 0 ? text.padEnd(widths[column]) : text.padStart(widths[column]))
  console.log(`\n${title}`)
  for (const line of lines) console.log(`  ${line.map(pad).join('  ')}`)
}

/** Prints what is aimed at and whether it was reached: [words, number, limit, 'above' or 'below']. */
export function printAims(aims) {
  console.log('\nAims')
  for (const { words, value, limit, side, unit = '' } of aims) {
    const isMet = side === 'above' ? value >= limit : value <= limit
    const bound = `${side === 'above' ? 'at least' : 'at most'} ${limit}${unit}`
    console.log(
      `  ${isMet ? 'met   ' : 'MISSED'}  ${words}: ${Number(value.toPrecision(3))}${unit} (${bound})`,
    )
  }
}

/** Keeps a run's numbers in tests/bench/results, with what they were measured on. */
export function save(name, results) {
  const folder = path.join(import.meta.dirname, 'results')
  const at = new Date().toISOString()
  const machine = { node: process.version, cpu: os.cpus()[0]?.model, cores: os.cpus().length }
  const file = path.join(folder, `${name}-${at.slice(0, 19).replaceAll(':', '')}.json`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${JSON.stringify({ at, machine, ...results }, null, 2)}\n`)
  console.log(`\nKept in ${path.relative('.', file)}`)
}
