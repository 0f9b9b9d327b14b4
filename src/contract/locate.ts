import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'

/** A mistake in a JSON file of the contract: where it stands and what is wrong, in words. */
export interface Problem {
  file: string
  line: number
  column: number
  message: string
}

/** Line and column (from 1) of a path in a JSON text; of its nearest parent where the path is missing. */
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

/** One line a mistake, as editors and terminals link it: `file:line:column  message`. */
export function printProblem({ file, line, column, message }: Problem): string {
  return `${file}:${line}:${column}  ${message}`
}

function offsetOf(node: Node | undefined, key: boolean): number {
  return (key && node?.parent?.type === 'property' ? node.parent.offset : node?.offset) ?? 0
}
