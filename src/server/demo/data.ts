import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootFolder } from '../start/rootFolder.ts'

/** The content of one of this folder's JSON files, read when it is needed: most starts need none. */
export function readData<T>(name: string): T {
  return JSON.parse(readFileSync(join(rootFolder(), 'src/server/demo', name), 'utf8')) as T
}
