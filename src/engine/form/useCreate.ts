import { type RefObject, useRef, useState } from 'react'
import { isEqual } from '../../contract/applyChanges.ts'
import type { FormScreen } from '../../contract/generated.ts'
import type { ConditionContext, Values } from '../../contract/when.ts'
import { isPlainObject } from '../../contract/when.ts'
import type { Autosave } from '../drafts/autosave.ts'
import { useSend } from '../runtime/calls.ts'
import { fieldErrors } from '../runtime/fieldErrors.ts'
import { newIdempotencyKey } from '../runtime/idempotencyKey.ts'
import { notifyUnhandled } from '../runtime/notifyUnhandled.ts'
import type { FormHandle } from './formStore.ts'
import type { FormSection } from './sections.ts'
import { visibleValues } from './visibleValues.ts'

interface CreateOptions {
  screen: FormScreen
  form: RefObject<FormHandle | null>
  sections: FormSection[]
  conditionContext: ConditionContext
  params: Values
  /** Sent with what is asked. */
  fixed: Values
  /** The versions of the metas by which the person was asked first, and those of now. */
  asked: { first: Values; now: Values }
  draft: Autosave
}

/** Adds a record, once; `save` answers the reply, or undefined where something is wrong, and that is shown. */
export function useCreate({
  screen,
  form,
  sections,
  conditionContext,
  params,
  fixed,
  asked,
  draft,
}: CreateOptions) {
  const send = useSend<unknown>(screen.save!)
  const [key] = useState(newIdempotencyKey)
  const isBusy = useRef(false)
  const save = async (): Promise<Values | undefined> => {
    const handle = form.current
    if (!handle || isBusy.current || Object.keys(handle.submit()).length > 0) return undefined
    isBusy.current = true
    try {
      const isOlder = !isEqual(asked.first, asked.now)
      const values = visibleValues(sections, handle.document(), conditionContext, isOlder)
      const body = { ...values, ...fixed, ...asked.first }
      const reply = await draft.submitWith((id) => send.mutateAsync({ params, body, key, draft: id }))
      return isPlainObject(reply) ? reply : {}
    } catch (error) {
      const errors = fieldErrors(error)
      if (errors) form.current?.showErrors(errors)
      else notifyUnhandled(error)
      return undefined
    } finally {
      isBusy.current = false
    }
  }
  return { save, isBusy: send.isPending }
}
