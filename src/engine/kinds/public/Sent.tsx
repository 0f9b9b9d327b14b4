import { Button } from '@blueprintjs/core'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import type { PublicFormScreen } from '../../../contract/generated.ts'
import { copyText } from '../../core/copyText.ts'
import { linkTo } from '../../core/link.ts'
import { useDocumentTitle } from '../../core/pageContext.ts'

export interface SentReferral {
  reference: string
  secret: string
  /** True if the link is sent by mail too. */
  mailed: boolean
}

const MAILED = 'We also send you the link by email.'
const NOT_MAILED = 'We do not send you this link: copy it, or write it down.'

/** The confirmation page, with the reference and the link, which nobody can look up again. */
export function Sent({ screen, sent }: { screen: PublicFormScreen; sent: SentReferral }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [isCopied, setCopied] = useState(false)
  const path = linkTo(screen.sent, { ...sent }) ?? ''
  const address = location.origin + path
  useDocumentTitle(`Sent – ${screen.title}`)
  useEffect(() => heading.current?.focus(), [])
  const copy = async () => setCopied(await copyText(address))
  return (
    <>
      <h1 className="heading" tabIndex={-1} ref={heading}>
        Thank you, your form has been sent
      </h1>
      <p>
        Your reference is <strong className="public-reference">{sent.reference}</strong>
      </p>
      <p>
        Keep this link. It opens a page where you can see the status of your form and answer our questions.
        Anyone who has the link can do the same.
      </p>
      <p>
        <Link to={path} className="public-link">
          {address}
        </Link>
      </p>
      <p>
        <Button text="Copy the link" icon="duplicate" onClick={copy} />{' '}
        <span role="status">{isCopied && 'Copied'}</span>
      </p>
      <p>{sent.mailed ? MAILED : NOT_MAILED}</p>
    </>
  )
}
