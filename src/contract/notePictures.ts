/** A picture in the Markdown of a note: its alternative text, and the id of its file if it was uploaded here. */
interface NotePicture {
  alt: string
  file: number | undefined
}

const PICTURE = /!\[([^\]]*)\]\(([^)]*)\)/g
const OWN_FILE = /^\/api\/files\/(\d{1,9})$/

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

/** The Markdown of a picture; brackets are removed from its alternative text, which they would end. */
export function pictureMarkdown(alt: string, file: number): string {
  return `![${alt.replaceAll(/[[\]]/g, '').trim()}](/api/files/${file})`
}
