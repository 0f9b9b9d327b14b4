import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has; those of level 3 only are numbered after them. */
const SECTIONS: Record<string, number> = {
  ...{ '1.1': 2, '1.2': 9, '1.3': 11, '1.4': 3, '1.5': 2 },
  ...{ '2.1': 3, '2.2': 3, '2.3': 4, '2.4': 1 },
  ...{ '3.2': 2, '3.3': 4, '3.4': 6, '3.5': 5, '3.7': 2 },
  ...{ '4.1': 3, '4.2': 1, '4.3': 2, '4.4': 4 },
  ...{ '5.1': 1, '5.2': 3, '5.3': 2, '5.4': 3 },
  ...{ '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4, '6.5': 5, '6.6': 3, '6.8': 4 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2 },
  ...{ '8.1': 2, '8.2': 3, '8.3': 1, '8.4': 1 },
  ...{ '9.1': 3, '9.2': 4 },
  ...{ '10.1': 2, '10.2': 2, '10.3': 4, '10.4': 11, '10.5': 5, '10.6': 2, '10.7': 3 },
  ...{ '11.1': 2, '11.2': 3, '11.3': 3, '11.4': 4, '11.5': 1, '11.6': 1 },
  ...{ '12.1': 3, '12.2': 2, '12.3': 4 },
  ...{ '13.1': 1, '13.2': 5, '13.3': 2, '13.4': 5 },
  ...{ '14.1': 2, '14.2': 4, '14.3': 3 },
  ...{ '15.1': 3, '15.2': 3, '15.3': 7 },
  ...{ '16.1': 1, '16.2': 5, '16.3': 4, '16.4': 3, '16.5': 3 },
  ...{ '17.1': 1, '17.2': 4, '17.3': 2 },
}
const STATUSES = ['met', 'not met', 'installation', 'does not apply']

const text = readFileSync('tests/asvs.md', 'utf8')
const rows = text
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.slice(2, -2).split(' | '))
  .map(([numbers, what, status, by]) => ({ numbers: numbers.split(', '), what, status, by }))
const NAMED = /`((?:src|schemas|tests|CONTRIBUTING|SECURITY|tsconfig)[\w./-]+)(?: › ([^`]*))?`/
/** What stands in backticks and is a file of ours: its path, and of a test its title. */
const named = [...text.matchAll(new RegExp(NAMED, 'g'))].map(([, file, title]) => ({ file, title }))

describe('the tables of ASVS', () => {
  it('have every requirement of levels 1 and 2 once, in order', () => {
    const all = Object.entries(SECTIONS).flatMap(([section, most]) =>
      Array.from({ length: most }, (_, i) => `${section}.${i + 1}`),
    )
    expect(all).toHaveLength(253)
    const there = rows.flatMap(({ numbers }) => numbers)
    expect(there.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))).toEqual(all)
  })

  it('say of each whether it is met, and of what is met by what', () => {
    for (const { numbers, status, by } of rows) {
      expect([numbers, STATUSES]).toEqual([numbers, expect.arrayContaining([status])])
      expect([numbers, by]).toEqual([numbers, expect.stringMatching(status === 'met' ? NAMED : /\w{4}/)])
    }
  })

  it('count what they say', () => {
    const count = (status: string) =>
      rows.filter((row) => row.status === status).reduce((sum, { numbers }) => sum + numbers.length, 0)
    const [met, not, installation, none] = STATUSES.map(count)
    expect(text).toContain(
      `Of 253 requirements ${met} are met, ${not} are not, ${installation} are the installation’s, and ${none} do not apply.`,
    )
  })

  it('name only files that exist, and tests by their titles', () => {
    expect(named.length).toBeGreaterThan(150)
    const missing = named.filter(({ file, title }) => {
      if (!existsSync(file)) return true
      return title !== undefined && !readFileSync(file, 'utf8').includes(`'${title}'`)
    })
    expect(missing).toEqual([])
  })
})
