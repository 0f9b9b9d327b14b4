import type { FastifyRequest } from 'fastify'
import type { Values } from '../../../contract/when.ts'
import { isStorable } from '../../core/isStorable.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import type { SentFile } from '../../core/sentFile.ts'

/** Maximum number of text parts in a multipart body. */
const MAX_TEXTS = 6

/**
 * Reads a multipart body: its texts by name, and up to `maxFiles` files of together at most `limit` bytes, if that is
 * set. Call it before a transaction, because a connection may be slow.
 */
export async function readMultipart(
  request: FastifyRequest,
  limit?: number,
  maxFiles = 1,
): Promise<{ body: Values; file?: SentFile; files: SentFile[] }> {
  const body: Values = {}
  const files: SentFile[] = []
  const sizes = limit === undefined ? {} : { fileSize: limit, fieldSize: limit }
  const options = { limits: { ...sizes, files: maxFiles, parts: maxFiles + MAX_TEXTS } }
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
    // Errors of the parser have no status: no boundary, a malformed header of a part, a premature end.
    if ((error as { statusCode?: number }).statusCode) throw error
    throw problem('badRequest', { message: 'The body is not multipart/form-data' })
  }
  if (!isStorable(body) || !files.every(({ name = '' }) => isStorable(name))) throw problem('badText')
  return { body, file: files[0], files }
}

/** The file of a request; throws if there is none. */
export function fileOf({ request, file }: { request: FastifyRequest; file?: SentFile }): SentFile {
  if (!request.isMultipart())
    throw problem('mediaType', { message: 'The body must be multipart/form-data with a file' })
  if (!file) throw fieldProblem({ file: ['Choose a file'] })
  return file
}
