import fs from 'node:fs'
import path from 'node:path'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { type Problem, position } from '../../contract/locate.ts'

/** A JSON file of the contract: its path from the root, its text (for line numbers) and its parsed content. */
export interface Source {
  file: string
  name: string
  text: string
  data: Record<string, unknown>
}

/** Reads all JSON files of a folder below the root, sorted by name; invalid ones are added to `problems`. */
export function readFolder(root: string, folder: string, problems: Problem[]): Source[] {
  if (!fs.existsSync(path.join(root, folder))) {
    problems.push({ file: folder, line: 1, column: 1, message: 'this folder is missing' })
    return []
  }
  // Hidden files belong to editors, and may be dangling links.
  const files = fs.readdirSync(path.join(root, folder)).filter((f) => /^[^.].*\.json$/.test(f))
  return files.sort().flatMap((f) => readSource(root, `${folder}/${f}`, problems) ?? [])
}

/**
 * Parses JSON, with the places of errors: JSON.parse does not report these, but is many times as fast for valid texts.
 */
function parsed(text: string): { data: unknown; errors: ParseError[] } {
  try {
    return { data: JSON.parse(text), errors: [] }
  } catch {
    const errors: ParseError[] = []
    return { data: parse(text, errors, { disallowComments: true }), errors }
  }
}

/** Reads one JSON file; if it is missing or not a JSON object, adds a problem with its place and returns undefined. */
export function readSource(root: string, file: string, problems: Problem[]): Source | undefined {
  if (!fs.existsSync(path.join(root, file))) {
    problems.push({ file, line: 1, column: 1, message: 'this file is missing' })
    return undefined
  }
  const text = fs.readFileSync(path.join(root, file), 'utf8')
  const { data, errors } = parsed(text)
  if (errors.length > 0) {
    const words = printParseErrorCode(errors[0].error)
      .replaceAll(/([A-Z])/g, ' $1')
      .trim()
      .toLowerCase()
    problems.push({ file, ...position(text, errors[0].offset), message: `not JSON: ${words}` })
    return undefined
  }
  if (data === null || typeof data !== 'object' || Array.isArray(data)) {
    problems.push({ file, line: 1, column: 1, message: 'must be an object' })
    return undefined
  }
  return { file, name: path.basename(file, '.json'), text, data: data as Record<string, unknown> }
}
