import type { Problem } from '../../contract/locate.ts'
import { locate } from '../../contract/locate.ts'
import type { Source } from './read.ts'

/** The path of a problem in a file: keys and indexes from the top. */
export type Path = (string | number)[]

/** Callback that reports a problem at a path of one file. */
export type Report = (path: Path, message: string) => void

/** Makes a callback that adds the problems of one file with their line and column. */
export function reportOf({ file, text }: Source, problems: Problem[]): Report {
  return (path, message) => problems.push({ file, ...locate(text, path), message })
}
