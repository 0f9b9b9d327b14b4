import { chmodSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../temporaryFolder.ts'

const LIBRARIES = '/usr/lib'

/** Debian's libfaketime, where it is installed. */
export const FAKETIME = readdirSync(LIBRARIES)
  .map((name) => join(LIBRARIES, name, 'faketime/libfaketimeMT.so.1'))
  .find((path) => existsSync(path))

export interface Clock {
  /** For the programs that go by it. */
  env: Record<string, string>
  /** Makes it so many seconds fast, or slow where they are below 0, at once. */
  shift(seconds: number): void
  /** Sets it to a moment (ISO). */
  set(moment: string): void
  remove(): void
}

/** A clock that jumps while programs run by it; what measures durations goes on evenly, as on a real machine. */
export function startClock(): Clock {
  const folder = temporaryFolder('clock-')
  chmodSync(folder, 0o755)
  const file = join(folder, 'offset')
  const shift = (seconds: number) => {
    // A program never reads half of it.
    writeFileSync(`${file}.new`, `${seconds < 0 ? '-' : '+'}${Math.abs(Math.round(seconds))}\n`)
    renameSync(`${file}.new`, file)
  }
  shift(0)
  return {
    env: {
      LD_PRELOAD: FAKETIME ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // Named differently from one release of libfaketime to another.
      DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    shift,
    set: (moment) => shift((Date.parse(moment) - Date.now()) / 1000),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
