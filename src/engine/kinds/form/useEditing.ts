import { type RefObject, useContext, useId, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { allows } from '../../../contract/access.ts'
import type { FormScreen } from '../../../contract/generated.ts'
import type { ConditionContext, Values } from '../../../contract/when.ts'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import { MayChangeContext } from '../../core/mayChange.ts'
import { useUser } from '../../core/user.ts'
import { useSaveShortcut } from '../../core/useSaveShortcut.ts'
import type { WithValues } from '../../core/useWith.ts'
import { useUnsavedChanges } from '../../form/drafts/useUnsavedChanges.ts'
import { documentOf } from '../../form/store/documentOf.ts'
import type { FormHandle } from '../../form/store/formStore.ts'
import { requestedVersions } from '../../form/store/requestedVersions.ts'
import { resolveSections } from '../../form/store/sections.ts'
import { seenAtPlaces, withheldPaths, withoutFollowers } from '../../form/store/seenAt.ts'
import { useSave } from '../../form/useSave.ts'

/** One record and the screen that shows it. */
export interface RecordProps {
  screen: FormScreen
  /** As last fetched. */
  record: Values
  withs: WithValues
  params: Values
}

/** State of editing a record: its sections, whether the user may save it, and its unsaved changes. */
export function useEditing(
  { screen, record, withs, params }: RecordProps,
  form: RefObject<FormHandle | null>,
  onSaved?: () => void,
) {
  const contract = useContract()
  const user = useUser()
  const [search] = useSearchParams()
  const idPrefix = useId()
  const query = useMemo(() => ({ ...Object.fromEntries(search), ...params }), [search, params])
  const conditionContext = useMemo<ConditionContext>(
    () => ({
      record,
      with: withs.values,
      user,
      query,
      seenAt: seenAtPlaces(contract, screen.groups, { with: withs.values, record }),
    }),
    [contract, screen, record, withs.values, user, query],
  )
  const withheld = withheldPaths(record).join()
  const metaRecord = screen.groups.some(({ from }) => from?.startsWith('record.')) ? record : undefined
  const entity = entityOf(contract, screen.read!)
  const sections = useMemo(() => {
    const conditionContext = { with: withs.values, record: metaRecord, user }
    const all = resolveSections(contract, screen.groups, entity.$id, conditionContext, 'update')
    return withheld ? all.map((section) => withoutFollowers(section, withheld.split(','))) : all
  }, [contract, screen, entity, withs.values, metaRecord, user, withheld])
  const [initial] = useState(() => documentOf(record))
  const isWithin = useContext(MayChangeContext)
  const mayChange = isWithin && record.may_change !== false
  const maySave =
    mayChange &&
    screen.save !== undefined &&
    allows(contract.roles, contract.endpoints[screen.save].roles, user.groups)
  const metaVersions = requestedVersions(screen.groups, screen.with, withs.values)
  const save = useSave({ screen, form, record, initial, params, sections, metaVersions, onSaved })
  const unsavedChanges = useUnsavedChanges(maySave ? save.changes : () => ({}))
  useSaveShortcut(maySave ? save.save : undefined)
  return {
    idPrefix,
    conditionContext,
    sections,
    initial,
    maySave,
    save,
    unsavedChanges,
    /** Path of a meta's answers in the document. */
    answers: Object.keys(entity.properties).find((name) => entity.properties[name].meta),
    /** Names of answers that were missing or invalid at the last validation of the record. */
    invalid: (record.invalid_fields ?? []) as string[],
    /** Names of answers that were not asked for when the record was made. */
    notAsked: (record.not_asked ?? []) as string[],
  }
}
