import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { crossCheck } from './check/crossCheck.ts'
import type { Contract } from './contract.ts'
import { addFacts } from './facts.ts'
import { HANDLERS } from './generatedNames.ts'
import type { Problem } from './locate.ts'
import { metaValidator } from './metaValidator.ts'
import { readFolder, readSource, type Source } from './read.ts'

/**
 * The JSON of schemas/ and screens/ below a folder, and every mistake in it with file, line and column; `handlers` are
 * the names that `does` may say. `checked` is a file where this program notes that there was no mistake: what has not
 * changed since is not checked again.
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
  const hash = checked && hashOf([...Object.values(sources).flat(), ...metas()], handlers)
  if (checked && hash === noteIn(checked)) return { contract, problems }

  const validate = metaValidator(root, contract)
  for (const [kind, source] of Object.entries(sources)) {
    const files = Array.isArray(source) ? source : source ? [source] : []
    for (const file of files) problems.push(...validate(META[kind as keyof typeof sources], file))
  }
  if (problems.length === 0) problems.push(...crossCheck(contract, sources, handlers))
  if (checked && hash && problems.length === 0) note(checked, hash)
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

/** The hash of all that a check depends on, but for the program itself. */
function hashOf(sources: (Source | undefined)[], handlers: string[]): string {
  const texts = sources.map((source) => [source?.file, source?.text])
  return createHash('sha256')
    .update(JSON.stringify([texts, handlers]))
    .digest('hex')
}

function noteIn(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined
}

function note(file: string, hash: string): void {
  try {
    fs.writeFileSync(file, hash)
  } catch {
    // Of a program that may not write beside itself every start checks.
  }
}

function entries(source: Source | undefined): Record<string, unknown> {
  const { $schema: _, ...rest } = source?.data ?? {}
  return rest
}

function byName(sources: Source[]): Record<string, unknown> {
  return Object.fromEntries(sources.map((s) => [s.name, s.data]))
}
