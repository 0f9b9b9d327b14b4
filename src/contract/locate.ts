import { findNodeAtLocation, type Node, parseTree, visit } from 'jsonc-parser'

/** A problem in a JSON file of the contract: its place and a message. */
export interface Problem {
  file: string
  line: number
  column: number
  message: string
}

/** Line and column (from 1) of a path in a JSON text; those of its nearest parent if the path is missing. */
export function locate(
  text: string,
  path: (string | number)[],
  atKey = false,
): { line: number; column: number } {
  const root = parseTree(text)
  const at = [...path]
  let node = root && findNodeAtLocation(root, at)
  while (!node && at.length > 0) {
    at.pop()
    node = root && findNodeAtLocation(root, at)
  }
  return position(text, offsetOf(node, atKey && at.length === path.length))
}

/** Line and column (from 1) of an offset. */
export function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1 }
}

/** Every key that its object already has: JSON.parse silently keeps the last value of these. */
export function duplicateKeys({ file, text }: { file: string; text: string }): Problem[] {
  const problems: Problem[] = []
  const open: Map<string, number>[] = []
  visit(text, {
    onObjectBegin: () => void open.push(new Map()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key, offset) => {
      const offsets = open.at(-1)!
      const first = offsets.get(key)
      if (first === undefined) {
        offsets.set(key, offset)
        return
      }
      const { line, column } = position(text, first)
      const message = `'${key}' is here twice (first at ${line}:${column})`
      problems.push({ file, ...position(text, offset), message })
    },
  })
  return problems
}

/** Formats a problem as one line that editors and terminals link: `file:line:column  message`. */
export function printProblem({ file, line, column, message }: Problem): string {
  return `${file}:${line}:${column}  ${message}`
}

function offsetOf(node: Node | undefined, key: boolean): number {
  return (key && node?.parent?.type === 'property' ? node.parent.offset : node?.offset) ?? 0
}
