import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootFolder } from '../../core/rootFolder.ts'

/** Reads a JSON file of this folder; only when it is needed, because most starts need none. */
export function readData<T>(name: string): T {
  return JSON.parse(readFileSync(join(rootFolder(), 'src/server/ops/demo', name), 'utf8')) as T
}
