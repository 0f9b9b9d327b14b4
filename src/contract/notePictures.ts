/** A picture that the Markdown of a note names: what it shows in words, and its file where it is one of ours. */
export interface NotePicture {
  alt: string
  file: number | undefined
}

const PICTURE = /!\[([^\]]*)\]\(([^)]*)\)/g
const OWN_FILE = /^\/api\/files\/(\d{1,9})$/

/** The pictures of a note, in their order. */
export function picturesIn(text = ''): NotePicture[] {
  return [...text.matchAll(PICTURE)].map(([, alt, address]) => ({
    alt: alt.trim(),
    file: fileOfPicture(address),
  }))
}

/** The id of the file at an address; undefined for any address but that of an uploaded file. */
export function fileOfPicture(address = ''): number | undefined {
  const id = OWN_FILE.exec(address)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** The Markdown of a picture. Its words may not end the brackets around them. */
export function pictureMarkdown(alt: string, file: number): string {
  return `![${alt.replaceAll(/[[\]]/g, '').trim()}](/api/files/${file})`
}
