import fs from 'node:fs'
import path from 'node:path'
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'
import { type Example, exampleAt, keepShortest } from './examples.ts'

/** Forms of case types are stored in the database; these are the initial ones. */
const CASE_TYPES = 'src/server/ops/demo/case-types.json'

/** A part of a case type, such as the groups of a form, and the file that holds it. */
interface FormNode {
  source: { file: string; text: string }
  node: Node
}

/** The forms of the case types that a new database has. */
export function readForms(root: string): FormNode[] {
  return readParts(root, ['case_meta', 'issue_meta'])
}

/** Another part of each case type that a new database has, such as its tests. */
export function readParts(root: string, keys: string[]): FormNode[] {
  const text = fs.readFileSync(path.join(root, CASE_TYPES), 'utf8')
  const caseTypes = parseTree(text)?.children ?? []
  return caseTypes.flatMap((caseType) =>
    keys.flatMap((key) => {
      const node = findNodeAtLocation(caseType, [key])
      return node ? [{ source: { file: CASE_TYPES, text }, node }] : []
    }),
  )
}

/** The shortest field of each type. */
export function fieldsByType(forms: FormNode[]): Map<string, Example> {
  const examples = new Map<string, Example>()
  for (const { source, node } of forms) {
    const visit = (part: Node): void => {
      const [label, type] = ['label', 'type'].map((key) =>
        part.type === 'object' ? findNodeAtLocation(part, [key]) : undefined,
      )
      if (label && type) keepShortest(examples, String(type.value), exampleAt(source, part))
      for (const child of part.children ?? []) visit(child)
    }
    visit(node)
  }
  return examples
}
