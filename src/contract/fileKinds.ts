import type { Field, FieldAttrs } from './generated.ts'

export type FileKind = NonNullable<FieldAttrs['accept']>[number]

/** The kinds of file that a field can be narrowed to, and how the names of such files end: see server/files/saveFile.ts. */
export const FILE_KINDS: Record<FileKind, { title: string; endings: string[] }> = {
  picture: { title: 'a picture', endings: ['png', 'jpg', 'jpeg'] },
  pdf: { title: 'a PDF', endings: ['pdf'] },
  document: { title: 'a Word document', endings: ['docx'] },
  spreadsheet: { title: 'a spreadsheet', endings: ['xlsx', 'csv'] },
  email: { title: 'an email', endings: ['msg', 'eml'] },
  text: { title: 'a text file', endings: ['txt'] },
}
/** As it is stored and sent: a million bytes, as on a disk. */
const MEGABYTE = 1_000_000

/** What a signature is drawn as. */
const SIGNATURE = 'png'

/** Whether the value of a field is the id of a file. */
export function holdsFile({ type }: Pick<Field, 'type'>): boolean {
  return type === 'file' || type === 'signature'
}

/** What a field has against a file, in words; undefined where it takes it. The content is what its name says. */
export function fileError(
  { label, type, attrs }: Pick<Field, 'label' | 'type' | 'attrs'>,
  { name, size }: { name: string; size: number },
): string | undefined {
  const endings = endingsOf(attrs?.accept)
  const ending = name.split('.').at(-1)!.toLowerCase()
  if (type === 'signature' && ending !== SIGNATURE) return `${label} must be drawn or typed here`
  if (endings && !endings.includes(ending)) return `${label} must be ${describeKinds(attrs!.accept!)}`
  if (attrs?.max_size !== undefined && size > attrs.max_size * MEGABYTE)
    return `${label} must be ${attrs.max_size} MB or smaller`
  return undefined
}

/** How the names of files of these kinds end; undefined where any kind is taken. */
export function endingsOf(accept: FileKind[] | undefined): string[] | undefined {
  return accept?.length ? accept.flatMap((kind) => FILE_KINDS[kind].endings) : undefined
}

/** "a picture or a PDF" */
export function describeKinds(kinds: FileKind[]): string {
  return kinds.map((kind) => FILE_KINDS[kind].title).join(' or ')
}
