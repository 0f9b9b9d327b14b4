import {
  type AnswerCondition,
  readAnswers,
  searchedLabel,
  typedValues,
  writeAnswers,
} from '../../../contract/answerFilter.ts'
import { formatDecimal, isDecimal } from '../../../contract/decimal.ts'
import { countsSeconds, FIELD_TYPES } from '../../../contract/fieldTypes.ts'
import { isSet } from '../../../contract/when.ts'
import { formatDuration } from '../../cells/durationFormat.ts'
import { formatDate } from '../../core/dates.ts'
import { useLookup, useLookupItems } from '../../core/lookups.ts'
import { TagButton } from '../../core/TagButton.tsx'
import type { AnswersProps } from './Answers.tsx'
import { type CaseTypeItem, fieldOfRow, operatorWords } from './answerRow.ts'

const RETIRED = { active: false }

/** A tag for each active condition on answers. */
export function AnswerTags({ text, onChange }: Pick<AnswersProps, 'text' | 'onChange'>) {
  const types = useLookup('case_type', RETIRED) as CaseTypeItem[] | undefined
  const conditions = readAnswers(text)
  if (!types) return null
  if (typeof conditions === 'string')
    return <Tag words={`Answers: ${conditions}`} onRemove={() => onChange('')} />
  return conditions.map((condition) => (
    <ConditionTag
      key={writeAnswers([condition])}
      condition={condition}
      types={types}
      onRemove={() => onChange(writeAnswers(conditions.filter((one) => one !== condition)))}
    />
  ))
}

interface ConditionProps {
  condition: AnswerCondition
  types: CaseTypeItem[]
  onRemove: () => void
}

function ConditionTag({ condition, types, onRemove }: ConditionProps) {
  const { type, searched } = fieldOfRow(types, condition)
  const { lookup, options } = searched?.field.attrs ?? {}
  const values = searched ? typedValues(searched, condition) : condition.values
  const isItem = lookup !== undefined && !options && condition.operator === 'is'
  const items = useLookupItems(isItem ? lookup : undefined, isItem ? (values as number[]) : [])
  if (!type || !searched)
    return (
      <Tag words={`A question that can no longer be searched (${condition.field})`} onRemove={onRemove} />
    )
  const { field } = searched
  const formatValue = (value: unknown) => {
    const item = items?.find((one) => one.value === value) ?? options?.find((one) => one.value === value)
    if (item) return item.label
    if (isDecimal(field)) return formatDecimal(value, field)
    if (countsSeconds(field.type)) return formatDuration(value)
    if (FIELD_TYPES[field.type].calendar) return formatDate(String(value))
    const own = FIELD_TYPES[field.type].ownChoices?.().find((one) => one.value === value)
    return own?.label ?? String(value)
  }
  const [first, last] = values.map((value) => (isSet(value) ? formatValue(value) : undefined))
  const answer = {
    is: values.map(formatValue).join(' or '),
    contains: `“${first}”`,
    between: [first && `from ${first}`, last && `to ${last}`].filter(Boolean).join(' '),
    set: '',
    unset: '',
  }[condition.operator]
  const verb = condition.operator === 'between' ? '' : operatorWords(condition.operator, field)
  return (
    <Tag
      words={[`${type.label}: ${searchedLabel(searched)}`, verb, answer].filter(Boolean).join(' ')}
      onRemove={onRemove}
    />
  )
}

function Tag({ words, onRemove }: { words: string; onRemove: () => void }) {
  return (
    <li>
      <TagButton words={words} onRemove={onRemove} />
    </li>
  )
}
