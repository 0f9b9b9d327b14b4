import fs from 'node:fs'
import path from 'node:path'

export const VIEWS = 'src/server/ops/views'
const MIGRATIONS = 'src/server/ops/migrations'
const COMMENT_OR_TEXT = /--.*$|'[^']*'/gm

/**
 * Returns a function for the names in the SQL of a view, or of the statements about a table. Tables and views have
 * columns that no entity has, such as the keys that searches compare.
 */
export function sqlNames(root: string): (relation: string) => Set<string> {
  const statements = sqlFiles(path.join(root, MIGRATIONS)).flatMap((sql) => sql.split(';'))
  const known = new Map<string, Set<string>>()
  return (relation) => {
    const names = known.get(relation) ?? namesIn(sqlAbout(root, statements, relation))
    known.set(relation, names)
    return names
  }
}

function sqlAbout(root: string, statements: string[], relation: string): string[] {
  const view = path.join(root, VIEWS, `${relation}.sql`)
  const isAbout = new RegExp(`\\b${relation}\\b`)
  if (!fs.existsSync(view)) return statements.filter((sql) => isAbout.test(sql))
  const query = fs.readFileSync(view, 'utf8')
  // Columns that a view takes over with 'k.*' have their names in migrations only.
  return /\w\.\*/.test(query) ? [query, ...statements] : [query]
}

function namesIn(sql: string[]): Set<string> {
  return new Set(
    sql
      .join('\n')
      .replaceAll(COMMENT_OR_TEXT, '')
      .match(/\b[a-z_][a-z0-9_]*\b/g),
  )
}

function sqlFiles(folder: string): string[] {
  if (!fs.existsSync(folder)) return []
  const files = fs.readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return files.map((file) => fs.readFileSync(path.join(folder, file), 'utf8'))
}
