import RjsfForm from '@rjsf/core'
import type { RegistryFieldsType, RJSFSchema } from '@rjsf/utils'
import {
  type ReactElement,
  type Ref,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import type { ConditionContext, Values } from '../../contract/when.ts'
import { ErrorSummary } from './ErrorSummary.tsx'
import { FormIndex } from './FormIndex.tsx'
import { KeptAnswers } from './KeptAnswers.tsx'
import { createFolds } from './store/folds.ts'
import type { FormContext } from './store/formContext.ts'
import type { FormHandle, FormStore, OnChange } from './store/formStore.ts'
import type { FormSection } from './store/sections.ts'
import { createFormStore } from './store/store.ts'
import { validator } from './store/validateSchema.ts'
import { templates, widgets } from './theme/theme.ts'
import { Groups } from './widgets/Groups.tsx'
import { ReadView } from './widgets/ReadView.tsx'

export type { FormHandle } from './store/formStore.ts'
export type { FormSection } from './store/sections.ts'

interface Props {
  ref?: Ref<FormHandle>
  sections: FormSection[]
  /** The document as loaded; later values come by `merge`. */
  initial: Values
  /** Context of conditions and lookups, without the document itself. */
  conditionContext: ConditionContext
  onChange?: OnChange
  readOnly?: boolean
  /** Prefix of the id of every control; omitted: a generated one. */
  idPrefix?: string
  hideSummary?: boolean
  /** The document is a stored record, not a new one. */
  isStored?: boolean
  offersRetired?: boolean
  /** Name under which the folded groups are stored; omitted: groups cannot be folded, and there is no index. */
  folds?: string
  frame?: FormContext['frame']
}

// rjsf gets no fields and no values: it would render and validate all of them when one changes.
const ANYTHING: RJSFSchema = { type: 'object' }
// The parent of the form has its own submit button.
const NO_BUTTON = { 'ui:submitButtonOptions': { norender: true } }
const fields = { ObjectField: Groups } as unknown as RegistryFieldsType

/**
 * A form over one document: rjsf provides widgets and templates, the store provides the groups. It renders a div,
 * because every property read on a <form> (React does one per event) searches its list of controls.
 */
export function FormView(props: Props): ReactElement {
  const {
    ref,
    sections,
    initial,
    conditionContext,
    onChange,
    readOnly,
    hideSummary,
    isStored,
    offersRetired,
  } = props
  const own = useId()
  const idPrefix = props.idPrefix ?? own
  const [store] = useState(() => createFormStore({ sections, document: initial, conditionContext, isStored }))
  useLayoutEffect(() => store.configure(sections, conditionContext), [store, sections, conditionContext])
  useLayoutEffect(() => store.setOnChange(onChange), [store, onChange])
  useImperativeHandle(ref, () => store, [store])
  const folds = useMemo(
    () => (props.folds === undefined ? undefined : createFolds(props.folds)),
    [props.folds],
  )
  const summary = useSyncExternalStore(store.subscribe, store.summary)
  if (readOnly) return <ReadOnlyForm store={store} sections={sections} conditionContext={conditionContext} />
  const form = (
    <div className="form">
      {summary && !hideSummary && (
        <ErrorSummary key={summary.number} errors={summary.errors} idPrefix={idPrefix} />
      )}
      <FormFields {...{ store, idPrefix, offersRetired, folds }} frame={props.frame} />
      <KeptAnswers store={store} conditionContext={conditionContext} />
    </div>
  )
  if (!folds) return form
  return (
    <div className="form-page">
      <div className="form-columns">
        <FormIndex {...{ store, idPrefix, folds }} />
        {form}
      </div>
    </div>
  )
}

/** The controls of a store's groups, or of one of them, rendered by rjsf's widgets. */
export function FormFields({
  store,
  idPrefix,
  only,
  offersRetired,
  folds,
  frame,
}: Omit<FormContext, 'pathOf'>): ReactElement {
  const context = useMemo<FormContext>(
    () => ({
      store,
      idPrefix,
      only,
      offersRetired,
      folds,
      frame,
      pathOf: (id) => id.slice(idPrefix.length + 1),
    }),
    [store, idPrefix, only, offersRetired, folds, frame],
  )
  return (
    <RjsfForm<Values, RJSFSchema, FormContext>
      tagName="div"
      idPrefix={idPrefix}
      schema={ANYTHING}
      uiSchema={NO_BUTTON}
      formContext={context}
      validator={validator}
      fields={fields}
      templates={templates}
      widgets={widgets}
      showErrorList={false}
    />
  )
}

function ReadOnlyForm({
  store,
  sections,
  conditionContext,
}: {
  store: FormStore
  sections: FormSection[]
  conditionContext: ConditionContext
}) {
  const document = useSyncExternalStore(store.subscribe, store.document)
  return (
    <>
      <ReadView sections={sections} document={document} conditionContext={conditionContext} />
      <KeptAnswers store={store} conditionContext={conditionContext} />
    </>
  )
}
