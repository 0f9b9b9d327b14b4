import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartProblem } from './startProblem.ts'

/**
 * The folder of the project, for the sources and for dist/server.js: the nearest one above this code with a
 * package.json. Throws a StartProblem if there is none, for example because the project was deleted meanwhile.
 */
export function rootFolder(from = dirname(fileURLToPath(import.meta.url))): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder))
      throw new StartProblem(
        `There is no package.json in ${from} or above it: start the server from its project.`,
      )
  }
}
