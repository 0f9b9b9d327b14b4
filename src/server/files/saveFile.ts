import { sql } from 'kysely'
import type { Call } from '../call.ts'
import { fieldProblem } from '../problems.ts'
import { FILE_ENDINGS, fileType } from './fileTypes.ts'
import { fileOf, type SentFile } from './multipart.ts'

const LONGEST_NAME = 255

export interface SavedFile {
  id: number
  name: string
  type: string
  /** In bytes. */
  size: number
}

interface Owner {
  entity: string
  record: number
}

/** Stores the file of a multipart body as the caller's own, or as a record's. */
export function saveUpload(call: Call, owner?: Owner): Promise<SavedFile> {
  return saveFile(call, fileOf(call), owner)
}

/** Stores a file that was sent; the content decides what it is. */
export async function saveFile(
  call: Call,
  { name: filename, content }: SentFile,
  owner?: Owner,
): Promise<SavedFile> {
  const name = plainName(unescaped(filename))
  const type = fileType(name, content)
  if (!type)
    throw fieldProblem({ file: [`The file must be one of ${FILE_ENDINGS}, and be what its name says`] })
  const { rows } = await sql<{
    id: number
  }>`insert into files (name, type, size, content, created_by, entity, record)
    values (${name}, ${type}, ${content.length}, ${content}, ${call.me.id}, ${owner?.entity ?? null}, ${owner?.record ?? null})
    returning id`.execute(call.db)
  return { id: rows[0].id, name, type, size: content.length }
}

/** A name without path parts or control characters, not longer than file systems allow; its end is kept. */
export function plainName(name = 'file'): string {
  const plain = name.split(/[/\\]/).at(-1)!.replaceAll(/\p{C}/gu, '').trim() || 'file'
  return plain.length > LONGEST_NAME ? plain.slice(0, 200) + plain.slice(-20) : plain
}

/** Browsers write a quote in the name of a multipart file as %22, because it would end the name. */
function unescaped(name: string | undefined): string | undefined {
  return name?.replaceAll('%22', '"')
}
