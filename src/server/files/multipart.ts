import type { FastifyRequest } from 'fastify'
import type { Values } from '../../contract/when.ts'
import { isStorable } from '../jsonBody.ts'
import { fieldProblem, problem } from '../problems.ts'
import type { StoredContent } from './content.ts'

/** Texts of a multipart body at most. */
const MOST_TEXTS = 6

/** The file of a multipart body, whole: at most LARGEST_FILE bytes, which the parser counts. */
export interface SentFile {
  /** Name of its field. */
  field: string
  name: string | undefined
  content: Buffer
  /** Once the content is in the object storage, where. */
  stored?: StoredContent
}

/**
 * Reads a multipart body: its texts by their names, and at most so many files, together not larger than `limit` bytes
 * where there is one. To be done before a transaction, for a line may be slow.
 */
export async function readMultipart(
  request: FastifyRequest,
  limit?: number,
  most = 1,
): Promise<{ body: Values; file?: SentFile; files: SentFile[] }> {
  const body: Values = {}
  const files: SentFile[] = []
  const sizes = limit === undefined ? {} : { fileSize: limit, fieldSize: limit }
  const options = { limits: { ...sizes, files: most, parts: most + MOST_TEXTS } }
  let size = 0
  try {
    for await (const part of request.parts(options)) {
      if (part.type === 'field') body[part.fieldname] = String(part.value)
      else {
        const content = await part.toBuffer()
        size += content.length
        if (limit !== undefined && size > limit) throw problem('tooLarge')
        files.push({ field: part.fieldname, name: part.filename, content })
      }
    }
  } catch (error) {
    // What the parser itself has against a body has no status: no boundary, a broken head of a part, a sudden end.
    if ((error as { statusCode?: number }).statusCode) throw error
    throw problem('badRequest', { message: 'The body is not multipart/form-data' })
  }
  if (!isStorable(body) || !files.every(({ name = '' }) => isStorable(name))) throw problem('badText')
  return { body, file: files[0], files }
}

/** The file that was sent; refuses where there is none. */
export function fileOf({ request, file }: { request: FastifyRequest; file?: SentFile }): SentFile {
  if (!request.isMultipart())
    throw problem('mediaType', { message: 'The body must be multipart/form-data with a file' })
  if (!file) throw fieldProblem({ file: ['Choose a file'] })
  return file
}
