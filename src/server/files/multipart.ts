import type { FastifyRequest } from 'fastify'
import type { Values } from '../../contract/when.ts'
import { isStorable } from '../jsonBody.ts'
import { fieldProblem, problem } from '../problems.ts'

/** The file of a multipart body, whole: at most LARGEST_FILE bytes, which the parser counts. */
export interface SentFile {
  /** Name of its field. */
  field: string
  name: string | undefined
  content: Buffer
}

/**
 * Reads a multipart body: its texts by their names, and its file, none larger than `limit` bytes where there is one. To be
 * done before a transaction, for a line may be slow.
 */
export async function readMultipart(
  request: FastifyRequest,
  limit?: number,
): Promise<{ body: Values; file?: SentFile }> {
  const body: Values = {}
  let file: SentFile | undefined
  const options = limit === undefined ? {} : { limits: { fileSize: limit, fieldSize: limit } }
  try {
    for await (const part of request.parts(options)) {
      if (part.type === 'field') body[part.fieldname] = String(part.value)
      else file = { field: part.fieldname, name: part.filename, content: await part.toBuffer() }
    }
  } catch (error) {
    // What the parser itself has against a body has no status: no boundary, a broken head of a part, a sudden end.
    if ((error as { statusCode?: number }).statusCode) throw error
    throw problem('badRequest', { message: 'The body is not multipart/form-data' })
  }
  if (!isStorable(body) || !isStorable(file?.name ?? '')) throw problem('badText')
  return { body, file }
}

/** The file that was sent; refuses where there is none. */
export function fileOf({ request, file }: { request: FastifyRequest; file?: SentFile }): SentFile {
  if (!request.isMultipart())
    throw problem('mediaType', { message: 'The body must be multipart/form-data with a file' })
  if (!file) throw fieldProblem({ file: ['Choose a file'] })
  return file
}
