import { FILE_KINDS } from '../../contract/fileKinds.ts'
import { suggest } from '../../contract/suggest.ts'
import type { Path, Report } from '../files/report.ts'

/** Reports endings of file names that no upload accepts. */
export function checkEndings(accept: string[] = [], at: Path, report: Report): void {
  const known = Object.values(FILE_KINDS).flatMap(({ endings }) => endings.map((ending) => `.${ending}`))
  for (const [i, ending] of accept.entries())
    if (!known.includes(ending)) report([...at, i], `no file ends in '${ending}'${suggest(ending, known)}`)
}
