import { sql } from 'kysely'
import { type FieldOfVersion, fieldHistory } from '../../../contract/caseType/fieldHistory.ts'
import type { Field } from '../../../contract/generated.ts'
import type { FieldChange } from '../../../contract/types/entities.ts'
import type { Call } from '../../core/call.ts'
import type { FoundField } from './findField.ts'

/** Maximum number of versions that are looked at, the newest ones. */
const MAX_VERSIONS = 200

interface Version {
  version: number
  by: string | null
  at: Date
  /** The fields of the version before whose answers it takes over, with their new names. */
  moves: { name: string; from: string }[]
}

/** What the versions have made of a field, newest first; it is followed through renames to its earlier names. */
export async function changesOfField(call: Call, { meta, storedKey }: FoundField): Promise<FieldChange[]> {
  const [name, ...columns] = storedKey.split('.')
  const versions = await versionsOf(call, meta)
  const names = namesByVersion(versions, name)
  const fields = await fieldsByVersion(call, meta, [...new Set(names.values())])
  const history = fieldHistory(
    versions.map(({ version }): FieldOfVersion => {
      const top = fields.get(version)?.find((field) => field.name === names.get(version))
      return { version, field: columns.reduce(columnOf, top) }
    }),
  )
  return history.toReversed().map(({ version, words }, i) => {
    const { by = null, at } = versions.find((one) => one.version === version)!
    return { id: i + 1, version, words, by, at }
  })
}

function columnOf(field: Field | undefined, name: string): Field | undefined {
  return field?.fields?.find((column) => column.name === name)
}

/** The versions in their order, with what each has renamed. */
async function versionsOf({ db, params }: Call, meta: FoundField['meta']): Promise<Version[]> {
  const { rows } = await sql<Version>`select v.version, v.at,
      nullif(trim(s.first_name || ' ' || s.last_name), '') as by,
      coalesce((select jsonb_agg(jsonb_build_object('name', move -> 'name', 'from', move -> 'from'))
        from answer_migrations m, jsonb_array_elements(m.${sql.ref(meta)}) move
        where m.case_type = v.case_type and m.version = v.version), '[]') as moves
    from case_type_versions v left join staff s on s.id = v.author
    where v.case_type = ${params.id} order by v.version desc limit ${sql.lit(MAX_VERSIONS)}`.execute(db)
  return rows.reverse()
}

/** The name of a field in each version; `name` is that in the last version that has the field. */
function namesByVersion(versions: Version[], name: string): Map<number, string> {
  const names = new Map<number, string>()
  let current = name
  for (const { version, moves } of versions.toReversed()) {
    names.set(version, current)
    const from = moves.find((move) => move.name === current)?.from
    if (from !== undefined) current = from
  }
  return names
}

/** The top-level fields with some names in each version. */
async function fieldsByVersion({ db, params }: Call, meta: FoundField['meta'], names: string[]) {
  const { rows } = await sql<{ version: number; fields: Field[] }>`select version,
      (select coalesce(jsonb_agg(f), '[]') from jsonb_array_elements(${sql.ref(meta)}) g,
        jsonb_array_elements(g -> 'fields') f where f ->> 'name' = any(${names}::text[])) as fields
    from case_type_versions where case_type = ${params.id} order by version desc limit ${sql.lit(MAX_VERSIONS)}`.execute(
    db,
  )
  return new Map(rows.map(({ version, fields }) => [version, fields]))
}
