import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useMemo, useRef, useState } from 'react'
import type { Contract } from '../../contract/contract.ts'
import { groupsOf } from '../../contract/entity.ts'
import type { Action, Field } from '../../contract/generated.ts'
import { isChange, requestedFields } from '../../contract/requestedFields.ts'
import type { Values } from '../../contract/when.ts'
import { refresh } from '../core/calls.ts'
import { useContract } from '../core/contract.ts'
import { entityOf } from '../core/entityOf.ts'
import { fieldErrors } from '../core/fieldErrors.ts'
import { fillTemplate, fillTemplates } from '../core/fillTemplate.ts'
import { notify } from '../core/notices.ts'
import { notifyUnhandled } from '../core/notifyUnhandled.ts'
import { type User, useUser } from '../core/user.ts'
import { changesOf, rebase } from '../form/store/changes.ts'
import { conflictOf } from '../form/store/conflict.ts'
import type { FormHandle } from '../form/store/formStore.ts'
import { permittedField } from '../form/store/permittedField.ts'
import { defaultsFor } from '../form/store/sections.ts'
import { visibleValues } from '../form/store/visibleValues.ts'

/** The reply of `formCall`: the fields, their initial values, and the name of their record. */
export interface LoadedFields {
  name: string
  fields: Field[]
  values?: Values
}

interface ActionFormOptions {
  action: Action
  loaded?: LoadedFields
  record: Values | undefined
  form: RefObject<FormHandle | null>
  act: (answers: Values, showsFields?: true) => Promise<void>
  onDone: () => void
}

/**
 * The form of an action and its submit: a new record is sent whole, an existing one as changed fields with its
 * version.
 */
export function useActionForm({ action, loaded, record, form, act, onDone }: ActionFormOptions) {
  const contract = useContract()
  const client = useQueryClient()
  const user = useUser()
  const { title, fields, isChange } = useMemo(
    () =>
      loaded
        ? { title: `${action.label}: ${loaded.name}`, fields: loaded.fields, isChange: false }
        : dialogFormOf(contract, action, user),
    [contract, action, loaded, user],
  )
  const sections = useMemo(
    // The dialog has a heading already.
    () => [{ key: 'asked', at: '', groups: [{ name: 'fields', label: '', fields }] }],
    [fields],
  )
  // Keep the initial row: it may be refetched while the dialog is open.
  const [initialValues] = useState(() =>
    isChange
      ? Object.fromEntries(fields.map(({ name }) => [name, record?.[name] ?? undefined]))
      : {
          ...defaultsFor(sections),
          ...fillTemplates(action.initialValues ?? {}, record ?? {}),
          ...loaded?.values,
        },
  )
  const baseValues = useRef<Values>(initialValues)
  const version = useRef(record?.version)
  const [conflictText, setConflictText] = useState<string>()
  const conditionContext = useMemo(() => ({ record, user }), [record, user])

  /** On a 409, rebases the form onto the current record and shows which fields conflict. */
  const rebaseOnConflict = (error: unknown): boolean => {
    const conflict = conflictOf(error)
    const handle = form.current
    if (!conflict || !handle) return false
    const theirs = Object.fromEntries(fields.map(({ name }) => [name, conflict.current[name] ?? undefined]))
    handle.merge(rebase(baseValues.current, handle.document(), theirs, sections).merge)
    baseValues.current = theirs
    version.current = conflict.current.version
    setConflictText(
      conflictTextOf(fields.filter(({ name }) => name in conflict.fields).map(({ label }) => label)),
    )
    if (action.call) void refresh(contract, client, action.call)
    return true
  }
  const submit = async () => {
    const handle = form.current
    if (!handle || Object.keys(handle.submit(isChange ? baseValues.current : undefined)).length > 0) return
    const changed = isChange && changesOf(baseValues.current, handle.document(), sections)
    if (changed && Object.keys(changed).length === 0) {
      notify({ kind: 'success', text: 'There is nothing new to save' })
      return onDone()
    }
    const body = changed
      ? { ...changed, ...(version.current !== undefined && { version: version.current }) }
      : visibleValues(sections, handle.document(), conditionContext)
    await act(body, true).then(onDone, (error: unknown) => {
      const errors = fieldErrors(error)
      if (errors && form.current) handle.showErrors(errors)
      else if (!rebaseOnConflict(error)) notifyUnhandled(error)
    })
  }
  return {
    title: action.title ? fillTemplate(action.title, record ?? {}) : title,
    sections,
    initialValues,
    conditionContext,
    conflictText,
    submit,
  }
}

function conflictTextOf(labels: string[]): string {
  const what = labels.join(', ')
  return `Somebody else changed this meanwhile${what && `: ${what}`}. What you typed is kept; save again to replace their change, or cancel.`
}

/** The form of an action's dialog; `isChange` if it updates an existing record. */
interface DialogForm {
  title: string
  fields: Field[]
  isChange: boolean
}

/** The form of the body that an action names, else of the fields that the user may set in the record that it saves. */
function dialogFormOf(contract: Contract, action: Action, user: User): DialogForm {
  const { bodies, endpoints } = contract
  const { label, form, call } = action
  if (form) return { title: label, fields: groupsOf(bodies[form])[0].fields, isChange: false }
  const endpoint = endpoints[call!]
  const entity = entityOf(contract, call!)
  const occasion = isChange(endpoint) ? 'update' : 'create'
  const permitted = (field: Field) =>
    permittedField(contract, entity.properties[field.name], field, occasion, user) ?? []
  return {
    title: `${label} ${entity.title.toLowerCase()}`,
    fields: requestedFields(entity, endpoint, action.values).flatMap(permitted),
    isChange: isChange(endpoint),
  }
}
