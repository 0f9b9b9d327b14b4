import { Classes } from '@blueprintjs/core'
import { useMemo, useState } from 'react'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import type { Row } from '../../core/results.ts'
import Combobox from '../../form/widgets/Combobox.tsx'
import type { Choice } from '../../form/widgets/Typeahead.tsx'
import { choiceOf, useRefChoices } from '../../form/widgets/useRefChoices.ts'
import { type AssignQuestion, choiceParameters } from './useEligibleRows.ts'

interface Props {
  id: string
  label: string
  /** Makes the label visible to screen readers only. */
  isHidden?: boolean
  assignment: AssignQuestion
  /** Row whose values filter the choices; without it all are offered. */
  row?: Row
  /** ID of a record that is not offered. */
  except: unknown
  chosen: Choice | undefined
  error: string | undefined
  onChoose: (choice: Choice | undefined) => void
}

/** A combobox to select a record from a list call by typing a part of its name. */
export function AssigneeSelect(props: Props) {
  const { id, label, isHidden, assignment, row, except, chosen, error, onChoose } = props
  const contract = useContract()
  const { chosen: template } = entityOf(contract, assignment.from)
  const [term, setTerm] = useState('')
  const { rows, isMore, isSearching } = useRefChoices(
    [assignment.from],
    term,
    row ? choiceParameters(assignment, row) : undefined,
  )
  const choices = useMemo(
    () => rows?.filter((one) => one.id !== except).map((one) => choiceOf(one, template)),
    [rows, except, template],
  )
  return (
    <div className="assign-box">
      <label className={isHidden ? 'visually-hidden' : Classes.LABEL} htmlFor={id}>
        {label}
      </label>
      <Combobox
        control={{
          id,
          autoComplete: 'off',
          'aria-required': undefined,
          'aria-invalid': error ? true : undefined,
          'aria-describedby': error ? `${id}-error` : undefined,
        }}
        label={label}
        choices={choices}
        isMore={isMore}
        chosen={chosen}
        isSearching={isSearching}
        onType={isMore ? setTerm : undefined}
        onChoose={onChoose}
      />
      {error && (
        <div className="field-error" id={`${id}-error`}>
          <span className="visually-hidden">Error: </span>
          {error}
        </div>
      )}
    </div>
  )
}
