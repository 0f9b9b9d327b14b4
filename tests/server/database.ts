import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'

/** A new, migrated, otherwise empty database for one test file; `drop` ends what is still connected to it. */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const problem = inject('databaseProblem')
  if (problem) throw new Error(`There is no test database: ${problem}`)
  const template = inject('template')
  const name = `${template.replace('template_app', 't')}_${randomBytes(4).toString('hex')}`
  // Copying files is faster than logging them where nothing has to survive.
  await onServer(`create database ${name} template ${template} strategy file_copy`)
  const url = new URL(inject('databaseUrl'))
  url.pathname = name
  return { url: url.href, drop: () => onServer(`drop database if exists ${name} with (force)`) }
}

async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
