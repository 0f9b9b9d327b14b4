import {
  type ReactElement,
  type Ref,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Scope, Values } from '../../contract/when.ts'
import { ErrorSummary } from './ErrorSummary.tsx'
import { GroupForm } from './GroupForm.tsx'
import { ReadView } from './ReadView.tsx'
import type { FormSection } from './sections.ts'
import { createFormStore, type FormHandle, type FormStore } from './store.ts'

export type { FormSection } from './sections.ts'
export type { FormHandle } from './store.ts'

interface Props {
  ref?: Ref<FormHandle>
  sections: FormSection[]
  /** The document as loaded; later values come by `merge`. */
  initial: Values
  /** What conditions and lookups can reach besides the form itself. */
  scope: Scope
  onChange?: (document: Values, path: string) => void
  readOnly?: boolean
  /** Begins the id of every control; omitted: one of its own. */
  idPrefix?: string
  hideSummary?: boolean
}

/**
 * A form over one document: each group drawn on its own, so that a key costs what its group costs. It is no <form>:
 * whatever is read of that element, and React reads of it at every event, goes through the list of all its controls.
 */
export function FormView(props: Props): ReactElement {
  const { ref, sections, initial, scope, onChange, readOnly, hideSummary } = props
  const own = useId()
  const id = props.idPrefix ?? own
  const [store] = useState(() => createFormStore({ sections, document: initial, scope }))
  useLayoutEffect(() => store.configure(sections, scope), [store, sections, scope])
  useLayoutEffect(() => store.listen(onChange), [store, onChange])
  useImperativeHandle(ref, () => store, [store])
  const groups = useSyncExternalStore(store.subscribe, store.groups)
  const summary = useSyncExternalStore(store.subscribe, store.summary)
  if (readOnly) return <ReadNow store={store} sections={sections} scope={scope} />
  return (
    <div className="form">
      {summary && !hideSummary && <ErrorSummary key={summary.number} errors={summary.errors} idPrefix={id} />}
      {groups.map((group) => (
        <GroupForm key={group.key} store={store} group={group} idPrefix={id} />
      ))}
    </div>
  )
}

function ReadNow({ store, sections, scope }: { store: FormStore; sections: FormSection[]; scope: Scope }) {
  const document = useSyncExternalStore(store.subscribe, store.document)
  return <ReadView sections={sections} document={document} scope={scope} />
}
