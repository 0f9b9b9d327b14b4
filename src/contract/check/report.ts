import type { Problem } from '../locate.ts'
import { locate } from '../locate.ts'
import type { Source } from '../read.ts'

/** Where in a file a mistake is: keys and indexes from the top. */
export type Path = (string | number)[]

/** Reports a mistake at a place of one file. */
export type Report = (path: Path, message: string) => void

/** Reports of one file, collected as problems with line and column. */
export function reportOf({ file, text }: Source, problems: Problem[]): Report {
  return (path, message) => problems.push({ file, ...locate(text, path), message })
}
