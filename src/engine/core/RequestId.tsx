/** The request ID of a failed call, for support; nothing without one. */
export function RequestId({ id }: { id?: string }) {
  return id ? (
    <small className="request-id">
      Reference <code>{id}</code>
    </small>
  ) : null
}
