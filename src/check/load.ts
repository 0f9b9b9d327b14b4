import { createHash } from 'node:crypto'
import fs from 'node:fs'
import type { Contract } from '../contract/contract.ts'
import { addFacts } from '../contract/facts.ts'
import { HANDLERS } from '../contract/generatedNames.ts'
import { duplicateKeys, type Problem } from '../contract/locate.ts'
import { readFolder, readSource, type Source } from './files/read.ts'
import { metaValidator } from './metaValidator.ts'
import { crossCheck } from './rules/crossCheck.ts'
import { repeatedItems } from './rules/repeated.ts'

/**
 * Loads and checks the JSON of schemas/ and screens/ below a folder; every problem has its file, line and column.
 * `handlers` are the names allowed in `does`. `checked` is a cache file with the hash of the last sources without
 * problems: unchanged sources are not checked again.
 */
export function loadContract(
  root: string,
  handlers: string[] = HANDLERS,
  checked?: string,
): { contract: Contract; problems: Problem[] } {
  const problems: Problem[] = []
  const one = (file: string) => readSource(root, file, problems)
  const many = (folder: string) => readFolder(root, folder, problems)
  const sources = {
    entities: many('schemas/entities'),
    endpoints: many('schemas/endpoints'),
    screens: many('screens').filter((s) => s.name !== 'menu'),
    bodies: one('schemas/bodies.json'),
    query: one('schemas/query.json'),
    lookups: one('schemas/lookups.json'),
    roles: one('schemas/roles.json'),
    menu: one('screens/menu.json'),
  }
  const contract = {
    entities: byName(sources.entities),
    endpoints: Object.assign({}, ...sources.endpoints.map(entries)),
    screens: byName(sources.screens),
    bodies: entries(sources.bodies),
    query: entries(sources.query),
    lookups: entries(sources.lookups),
    roles: sources.roles?.data ?? { roles: [], groups: {} },
    menu: sources.menu?.data ?? { dashboard: [], side: [] },
  } as unknown as Contract
  addFacts(contract)
  if (problems.length > 0) return { contract, problems }
  const metas = () => readFolder(root, 'schemas/meta', [])
  const all = () => [...Object.values(sources).flat(), ...metas()].filter((source) => source !== undefined)
  const hash = checked && hashOf(all(), handlers)
  if (checked && hash === readHash(checked)) return { contract, problems }

  problems.push(...all().flatMap(duplicateKeys))
  // Other problems would be located at the first of two equal keys.
  if (problems.length > 0) return { contract, problems }
  const validate = metaValidator(root, contract)
  for (const [kind, source] of Object.entries(sources)) {
    const files = Array.isArray(source) ? source : source ? [source] : []
    for (const file of files)
      problems.push(...validate(META[kind as keyof typeof sources], file), ...repeatedItems(file))
  }
  if (problems.length === 0) problems.push(...crossCheck(contract, sources, handlers))
  if (checked && hash && problems.length === 0) writeHash(checked, hash)
  return { contract, problems }
}

const META = {
  entities: 'meta/entity.json',
  endpoints: 'meta/endpoints.json',
  screens: 'meta/screen.json',
  bodies: 'meta/bodies.json',
  query: 'meta/query.json',
  lookups: 'meta/lookups.json',
  roles: 'meta/roles.json',
  menu: 'meta/menu.json',
}

/** Hash of everything that the check depends on, except the program itself. */
function hashOf(sources: Source[], handlers: string[]): string {
  const texts = sources.map(({ file, text }) => [file, text])
  return createHash('sha256')
    .update(JSON.stringify([texts, handlers]))
    .digest('hex')
}

function readHash(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined
}

function writeHash(file: string, hash: string): void {
  try {
    fs.writeFileSync(file, hash)
  } catch {
    // Without permission to write there is no cache, and every start checks again.
  }
}

function entries(source: Source | undefined): Record<string, unknown> {
  const { $schema: _, ...rest } = source?.data ?? {}
  return rest
}

function byName(sources: Source[]): Record<string, unknown> {
  return Object.fromEntries(sources.map((s) => [s.name, s.data]))
}
