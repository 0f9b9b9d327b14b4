/** The id of a failed call, small, for whom the person calls for help; nothing without one. */
export function RequestId({ id }: { id?: string }) {
  return id ? (
    <small className="request-id">
      Reference <code>{id}</code>
    </small>
  ) : null
}
