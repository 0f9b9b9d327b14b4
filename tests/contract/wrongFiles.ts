import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadContract } from '../../src/check/load.ts'
import { printProblem } from '../../src/contract/locate.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

const ROOT = path.join(import.meta.dirname, '../..')

/** A file with one mistake: the title of its test, its text, and the only message about it. */
export type Wrong = [mistake: string, text: string, expected: string]

/** The text of a new file, with a line for each key. */
export const screen = (...lines: string[]) => `{\n${lines.map((line) => `  ${line}`).join(',\n')}\n}\n`

/** Copies schemas and screens to a new folder, which the caller removes. */
export function copyContract(): string {
  const copy = temporaryFolder('contract-')
  for (const folder of ['schemas', 'screens'])
    fs.cpSync(path.join(ROOT, folder), path.join(copy, folder), { recursive: true })
  return copy
}

/** Adds the wrong files to a copy of the contract, with NAME replaced by the name of the file, and returns the messages about each. */
function problemsOf(copy: string, folder: string, all: Wrong[]): string[][] {
  const files = all.map((_, i) => `${folder}/x${String(i).padStart(2, '0')}.json`)
  for (const [i, file] of files.entries())
    fs.writeFileSync(path.join(copy, file), all[i][1].replaceAll('NAME', path.basename(file, '.json')))
  const { problems } = loadContract(copy)
  for (const file of files) fs.rmSync(path.join(copy, file))
  return files.map((file) =>
    problems.filter((one) => one.file === file).map((one) => printProblem({ ...one, file: '' }).slice(1)),
  )
}

/** Registers a test for each wrong file of a folder. */
export function describeWrongFiles(folder: string, all: Wrong[]): void {
  describe(`in ${folder}, a mistake is refused with its place`, () => {
    let copy = ''
    let found: string[][]
    beforeAll(() => {
      copy = copyContract()
      found = problemsOf(copy, folder, all)
    })
    afterAll(() => fs.rmSync(copy, { recursive: true }))
    it.each(all.map(([mistake, , expected], i) => ({ mistake, expected, i })))(
      '$mistake',
      ({ expected, i }) => {
        const name = `x${String(i).padStart(2, '0')}`
        expect(found[i]).toEqual([expected.replaceAll('NAME', name)])
      },
    )
  })
}
