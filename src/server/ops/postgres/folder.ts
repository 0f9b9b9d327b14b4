import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { StartProblem } from '../../core/startProblem.ts'
import { type Account, changeOwner } from './account.ts'
import { password, passwordFile, SUPERUSER } from './address.ts'
import { program } from './binary.ts'

/** True if the folder has a database of this major version, false if it is empty; otherwise throws a StartProblem. */
export function holdsDatabase(folder: string, major: number): boolean {
  try {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
    const names = namesIn(folder)
    if (names.length === 0) return false
    if (!names.includes('PG_VERSION')) {
      throw new StartProblem(
        `The folder ${folder} is not empty and holds no PostgreSQL database. Set DATA_DIR to another folder.`,
      )
    }
    const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
    if (found === String(major)) return true
    throw new StartProblem(
      `The data folder ${folder} was made by PostgreSQL ${found}, and this version of the app brings ` +
        `PostgreSQL ${major}. Nothing was changed. Write a backup with the version of the app that made it ` +
        'and restore it into a new folder, or set DATA_DIR to another folder.',
    )
  } catch (error) {
    if (error instanceof StartProblem) throw error
    throw new StartProblem(
      `The data folder ${folder} cannot be used (${(error as Error).message}). Start the app as the user ` +
        'who owns it, or set DATA_DIR to another folder.',
    )
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Creates a database cluster in the folder, which is missing or empty, atomically. */
export function makeDatabase(folder: string, native: string, account: Account, durable: boolean): void {
  const unfinished = mkdtempSync(`${folder}.new-`)
  changeOwner(account, unfinished)
  const [file, ...args] = [...account.prefix, program(native, 'initdb'), ...initdbOptions(folder, unfinished)]
  if (!durable) args.push('--no-sync')
  const { uid, gid } = account
  const { status, stderr, error } = spawnSync(file, args, { uid, gid, cwd: '/', encoding: 'utf8' })
  try {
    if (status !== 0) {
      const reason = error?.message ?? stderr.trim().split('\n').at(-1)
      throw new StartProblem(
        `PostgreSQL could not make its data folder ${folder}: ${reason}. ` +
          'Set DATA_DIR to another folder, or set DATABASE_URL to a PostgreSQL server of your own.',
      )
    }
    if (existsSync(folder)) rmdirSync(folder)
    renameSync(unfinished, folder)
  } catch (problem) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another copy of the app was faster: use its database.
    if (!existsSync(join(folder, 'PG_VERSION'))) throw problem
  }
  if (durable) syncFolder(dirname(folder))
}

function initdbOptions(folder: string, target: string): string[] {
  // C.UTF-8 is not a system locale everywhere; collation uses the builtin provider in any case.
  const locale = process.platform === 'linux' ? 'C.UTF-8' : 'C'
  const options = ['-D', target, '-U', SUPERUSER, '-E', 'UTF8', `--locale=${locale}`, '--no-instructions']
  options.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  if (process.platform !== 'win32') return [...options, '--auth=trust']
  password(folder)
  return [...options, '--auth=scram-sha-256', `--pwfile=${passwordFile(folder)}`]
}

// Without this a power cut soon after the first start could undo the rename of the folder.
function syncFolder(parent: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(parent, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
