import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootFolder } from './rootFolder.ts'

/** The release that runs, as package.json says. */
export function productVersion(): string {
  return JSON.parse(readFileSync(join(rootFolder(), 'package.json'), 'utf8')).version
}
