import { Button, FormGroup, HTMLSelect } from '@blueprintjs/core'
import { type Ref, useMemo } from 'react'
import {
  type AnswerOperator,
  OPERATORS,
  type SearchedField,
  searchedFields,
  searchedLabel,
} from '../../../contract/answerFilter.ts'
import { type FormHandle, FormView } from '../../form/FormView.tsx'
import Combobox from '../../form/widgets/Combobox.tsx'
import {
  type AnswerRow,
  type CaseTypeItem,
  documentOf,
  fieldOfRow,
  operatorWords,
  valueFields,
  valuesOf,
} from './answerRow.ts'

interface Props {
  id: string
  row: AnswerRow
  /** Number of the row, from 1. */
  number: number
  types: CaseTypeItem[]
  /** Error of an incomplete row. */
  error?: string
  valueRef: Ref<FormHandle>
  onChange: (row: AnswerRow) => void
  onRemove: () => void
}

const CONTEXT = {}
const FORMS = { case: 'Case', issue: 'Issue' }

/** One condition: case type, question, operator, and the question's own widget for the value. */
export function AnswerRowView({ id, row, number, types, error, valueRef, onChange, onRemove }: Props) {
  const { type, searched } = fieldOfRow(types, row)
  // A question that is switched off is only offered where it is chosen already.
  const questions = useMemo(
    () =>
      type
        ? searchedFields(type)
            .filter((one) => !one.isOff || isSame(one, row))
            .map(choiceOf)
        : [],
    [type, row],
  )
  const operator = row.operator ?? (searched && OPERATORS[searched.field.type][0])
  return (
    <fieldset className="answer-row" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="visually-hidden">Answer {number}</legend>
      <FormGroup label="Case type" labelFor={`${id}-type`}>
        <HTMLSelect
          id={`${id}-type`}
          fill
          value={row.caseType ?? ''}
          onChange={(event) =>
            onChange({ key: row.key, caseType: Number(event.currentTarget.value) || undefined, values: [] })
          }
        >
          <option value="">Choose a case type</option>
          {types.map(({ value, label, active }) => (
            <option key={value} value={value}>
              {active === false ? `${label} (no longer offered)` : label}
            </option>
          ))}
        </HTMLSelect>
      </FormGroup>
      <FormGroup label="Question" labelFor={`${id}-field`} className="answer-question">
        <Combobox
          key={row.caseType}
          control={{ id: `${id}-field` }}
          label="Question"
          choices={questions}
          chosen={questions.find(({ value }) => value === `${row.form}.${row.field}`)}
          onChoose={(choice) => {
            const [form, field] = choice ? String(choice.value).split('.') : []
            onChange({
              key: row.key,
              caseType: row.caseType,
              form: form as AnswerRow['form'],
              field,
              values: [],
            })
          }}
        />
      </FormGroup>
      {searched && operator && (
        <>
          <FormGroup label="Condition" labelFor={`${id}-operator`}>
            <HTMLSelect
              id={`${id}-operator`}
              fill
              value={operator}
              onChange={(event) =>
                onChange({ ...row, operator: event.currentTarget.value as AnswerOperator, values: [] })
              }
            >
              {OPERATORS[searched.field.type].map((one) => (
                <option key={one} value={one}>
                  {operatorWords(one, searched.field)}
                </option>
              ))}
            </HTMLSelect>
          </FormGroup>
          <AnswerValue
            key={`${row.caseType} ${row.form} ${row.field} ${operator}`}
            {...{ id, row, searched, operator, valueRef, onChange }}
          />
        </>
      )}
      <Button variant="minimal" icon="trash" className="answer-remove" onClick={onRemove}>
        Remove <span className="visually-hidden">answer {number}</span>
      </Button>
      {error && (
        <p className="field-error answer-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

interface ValueProps extends Pick<Props, 'id' | 'row' | 'valueRef' | 'onChange'> {
  searched: SearchedField
  operator: AnswerOperator
}

function AnswerValue({ id, row, searched, operator, valueRef, onChange }: ValueProps) {
  const fields = useMemo(() => valueFields(searched, operator), [searched, operator])
  const sections = useMemo(
    () => [{ key: 'answer', at: '', groups: [{ name: 'answer', label: '', fields }] }],
    [fields],
  )
  if (fields.length === 0) return null
  return (
    <div className="answer-value">
      <FormView
        ref={valueRef}
        idPrefix={`${id}-value`}
        hideSummary
        offersRetired
        sections={sections}
        initial={documentOf(searched, operator, row)}
        conditionContext={CONTEXT}
        onChange={(document) => onChange({ ...row, operator, values: valuesOf(operator, document) })}
      />
    </div>
  )
}

function isSame({ form, field }: SearchedField, row: AnswerRow): boolean {
  return form === row.form && field.name === row.field
}

function choiceOf(one: SearchedField) {
  const { form, group, field } = one
  return { value: `${form}.${field.name}`, label: searchedLabel(one), about: `${FORMS[form]}: ${group}` }
}
