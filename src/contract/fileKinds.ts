import { FIELD_TYPES } from './fieldTypes.ts'
import type { Field, FieldAttrs } from './generated.ts'

export type FileKind = NonNullable<FieldAttrs['accept']>[number]

/** Kinds of file that a field can be restricted to, with their file name extensions: see server/records/files/saveFile.ts. */
export const FILE_KINDS: Record<FileKind, { title: string; endings: string[] }> = {
  picture: { title: 'a picture', endings: ['png', 'jpg', 'jpeg'] },
  pdf: { title: 'a PDF', endings: ['pdf'] },
  document: { title: 'a Word document', endings: ['docx'] },
  spreadsheet: { title: 'a spreadsheet', endings: ['xlsx', 'csv'] },
  email: { title: 'an email', endings: ['msg', 'eml'] },
  text: { title: 'a text file', endings: ['txt'] },
}
/** Bytes of a megabyte in the decimal sense. */
const MEGABYTE = 1_000_000

/** File name extension of a signature. */
const SIGNATURE = 'png'

/**
 * Validates a file for a field; returns an error message, or undefined if it is accepted. Assumes that the content
 * matches the file name extension.
 */
export function fileError(
  { label, type, attrs }: Pick<Field, 'label' | 'type' | 'attrs'>,
  { name, size }: { name: string; size: number },
): string | undefined {
  const endings = endingsOf(attrs?.accept)
  const ending = name.split('.').at(-1)!.toLowerCase()
  if (FIELD_TYPES[type].holdsFile === 'drawn' && ending !== SIGNATURE)
    return `${label} must be drawn or typed here`
  if (endings && !endings.includes(ending)) return `${label} must be ${describeKinds(attrs!.accept!)}`
  if (attrs?.max_size !== undefined && size > attrs.max_size * MEGABYTE)
    return `${label} must be ${attrs.max_size} MB or smaller`
  return undefined
}

/** File name extensions of these kinds; undefined if any kind is accepted. */
export function endingsOf(accept: FileKind[] | undefined): string[] | undefined {
  return accept?.length ? accept.flatMap((kind) => FILE_KINDS[kind].endings) : undefined
}

/** "a picture or a PDF" */
export function describeKinds(kinds: FileKind[]): string {
  return kinds.map((kind) => FILE_KINDS[kind].title).join(' or ')
}
