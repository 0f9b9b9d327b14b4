import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootFolder } from './rootFolder.ts'

/** The running release, from package.json. */
export function productVersion(): string {
  return JSON.parse(readFileSync(join(rootFolder(), 'package.json'), 'utf8')).version
}
