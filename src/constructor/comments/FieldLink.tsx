import type { ReactElement } from 'react'
import { Link } from 'react-router-dom'
import { pluralise } from '../../contract/pluralise.ts'
import type { Address } from '../state/address.ts'
import { useEditorContext } from '../state/editorContext.ts'
import { keyOf, useCommentCount } from './commentCounts.ts'

/** Leads to the page of a field, which has everything about it but its settings. */
export function FieldLink({ address }: { address: Address }): ReactElement {
  const { caseType, meta } = useEditorContext()
  const count = useCommentCount(address)
  const form = meta === 'case_meta' ? 'case' : 'issue'
  return (
    <p className="constructor-setting">
      <Link to={`/dashboard/module-constructor/${caseType}/fields/${form}/${keyOf(address)}`}>
        Answers, uses, versions and {count > 0 ? pluralise(count, 'open comment') : 'comments'}
      </Link>
    </p>
  )
}
