import { ClippedText } from './ClippedText.tsx'

/** The old value struck through and the new one. */
export function ChangeText({ label, from, to }: { label: string; from: string; to: string }) {
  return (
    <ClippedText label={label}>
      {from && (
        <>
          <del>
            <span className="visually-hidden">From </span>
            {from}
          </del>{' '}
        </>
      )}
      {to ? (
        <ins>
          <span className="visually-hidden">to </span>
          {to}
        </ins>
      ) : (
        <em>emptied</em>
      )}
    </ClippedText>
  )
}
