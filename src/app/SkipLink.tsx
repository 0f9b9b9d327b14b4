/** The first stop of the Tab key: past all navigation, to the element with this id. */
export function SkipLink({ to }: { to: string }) {
  return (
    <a
      className="skip"
      href={`#${to}`}
      onClick={(event) => {
        // The address of the page stays as it is.
        event.preventDefault()
        document.getElementById(to)?.focus()
      }}
    >
      Skip to main content
    </a>
  )
}
