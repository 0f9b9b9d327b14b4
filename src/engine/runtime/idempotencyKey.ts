/** A fresh key by which the server knows a repeated POST; randomUUID would need HTTPS. */
export function newIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((n) => n.toString(16).padStart(2, '0')).join('')
}
