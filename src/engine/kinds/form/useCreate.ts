import { type RefObject, useRef } from 'react'
import type { FormScreen } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import type { ConditionContext, Values } from '../../../contract/when.ts'
import { isPlainObject } from '../../../contract/when.ts'
import { useWaitingSend } from '../../core/calls.ts'
import { fieldErrors } from '../../core/fieldErrors.ts'
import { useFormKey } from '../../core/idempotencyKey.ts'
import { notifyUnhandled } from '../../core/notifyUnhandled.ts'
import type { Autosave } from '../../form/drafts/autosave.ts'
import { useEffectsQuestion } from '../../form/EffectsQuestion.tsx'
import type { FormHandle } from '../../form/store/formStore.ts'
import type { FormSection } from '../../form/store/sections.ts'
import { visibleValues } from '../../form/store/visibleValues.ts'

interface CreateOptions {
  screen: FormScreen
  form: RefObject<FormHandle | null>
  sections: FormSection[]
  conditionContext: ConditionContext
  params: Values
  /** Values that are sent in addition to the answers. */
  fixed: Values
  /** Versions of the metas when the person began, and the current ones. */
  metaVersions: { first: Values; now: Values }
  draft: Autosave
}

/**
 * Creates a record, at most once. `save` returns the reply, and `validBody` what it would send, or undefined after showing
 * the errors; `refuse` shows those of a failed call.
 */
export function useCreate({
  screen,
  form,
  sections,
  conditionContext,
  params,
  fixed,
  metaVersions,
  draft,
}: CreateOptions) {
  const send = useWaitingSend<unknown>(screen.save!)
  const question = useEffectsQuestion()
  const key = useFormKey()
  const isBusy = useRef(false)
  const validBody = (): Values | undefined => {
    const handle = form.current
    if (!handle || Object.keys(handle.submit()).length > 0) return undefined
    const isOlder = !isEqual(metaVersions.first, metaVersions.now)
    const values = visibleValues(sections, handle.document(), conditionContext, isOlder)
    return { ...values, ...fixed, ...metaVersions.first }
  }
  const refuse = (error: unknown) => {
    const errors = fieldErrors(error)
    if (errors) form.current?.showErrors(errors)
    else notifyUnhandled(error)
  }
  const save = async (): Promise<Values | undefined> => {
    const body = isBusy.current ? undefined : validBody()
    if (!body) return undefined
    isBusy.current = true
    try {
      if (!(await question.ask(body))) return undefined
      const reply = await draft.submitWith((id) =>
        send.mutateAsync({ params, body, key: key.current(), draft: id }),
      )
      return isPlainObject(reply) ? reply : {}
    } catch (error) {
      key.renewIfUsed(error)
      refuse(error)
      return undefined
    } finally {
      isBusy.current = false
    }
  }
  const isPending = send.isPending || question.isAsking
  return { save, validBody, refuse, isBusy: isPending, waiting: send.waiting }
}
