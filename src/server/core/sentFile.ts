/** A content in the object storage; there may be no row for it yet. */
export interface StoredContent {
  key: string
  sha256: Buffer
}

/** A complete file of a multipart body; the parser enforces the size limit. */
export interface SentFile {
  field: string
  name: string | undefined
  content: Buffer
  /** Its place in the object storage, once it is stored there. */
  stored?: StoredContent
}
