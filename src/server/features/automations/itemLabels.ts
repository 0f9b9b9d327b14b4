import { automationFields } from '../../../contract/automations/automationFields.ts'
import { filledTextOf } from '../../../contract/automations/outcomes.ts'
import type { Contract } from '../../../contract/contract.ts'
import type { ItemLabel } from '../../../contract/describeAnswer.ts'
import { placeholdersIn } from '../../../contract/filledTexts.ts'
import type { Automation, Field } from '../../../contract/generated.ts'
import { operandsOf, rowConditionsOf, type Test, type When } from '../../../contract/when.ts'
import type { Db } from '../../core/db.ts'
import { itemLabelsOf } from '../../records/lookups/itemLabels.ts'
import type { AutomatedType } from './automatedTypes.ts'
import { isStateOf } from './holdingRecords.ts'
import { type LoadedCase, type LoadedRecord, recordsOf } from './loadCases.ts'

/** Labels of the lookup items that the conditions and texts which hold for these cases name. */
export async function itemLabels(
  { db, contract }: { db: Db; contract: Contract },
  loaded: LoadedCase[],
  types: Map<number, AutomatedType>,
): Promise<ItemLabel> {
  const ids = new Map<string, Set<number>>()
  const add = (field: Field | undefined, value: unknown) => {
    const lookup = field?.attrs?.lookup
    if (!lookup) return
    const known = ids.get(lookup) ?? new Set<number>()
    ids.set(lookup, known)
    for (const id of [value].flat()) if (Number.isInteger(id)) known.add(id as number)
  }
  for (const one of loaded) {
    const type = types.get(one.type)
    if (!type) continue
    for (const record of recordsOf(one)) {
      for (const automation of type.automations)
        for (const [field, value] of valuesNamed(automation, type, record)) add(field, value)
    }
  }
  return itemLabelsOf({ db, contract, me: undefined as never }, ids)
}

/** The values that the condition and the texts of an automation name, with their fields, if it holds for a record. */
function valuesNamed(
  automation: Automation,
  type: AutomatedType,
  record: LoadedRecord,
): [Field | undefined, unknown][] {
  try {
    if (!isStateOf(automation, record)) return []
    const { fields, names } = usedBy(automation, type)
    return [
      ...literalsIn(automation.when).map(([path, value]): [Field | undefined, unknown] => [
        fieldAt(fields, path),
        value,
      ]),
      ...names.map((name): [Field | undefined, unknown] => [fields.get(name), record.answers[name]]),
    ]
  } catch {
    // The evaluation throws as well, and reports it.
    return []
  }
}

/** The fields of an automation's form, and the names in the placeholders of its texts. */
function usedBy(automation: Automation, type: AutomatedType) {
  const fields = automationFields(automation.of, type)
  const names = automation.then.flatMap((one) => placeholdersIn(filledTextOf(one) ?? ''))
  return { fields, names }
}

/** The field at a path, or the column of its repeat. */
function fieldAt(fields: Map<string, Field>, path: string): Field | undefined {
  const at = path.lastIndexOf('.')
  const column = path.slice(at + 1)
  return fields.get(path) ?? fields.get(path.slice(0, at))?.fields?.find(({ name }) => name === column)
}

/** The literals of a condition with their paths; those of conditions on rows with that of the column. */
function literalsIn(when: When): [string, unknown][] {
  return Object.entries(when).flatMap(([path, test]): [string, unknown][] =>
    path === 'any'
      ? (test as When[]).flatMap(literalsIn)
      : [
          ...operandsOf(test as Test).map((operand): [string, unknown] => [path, operand]),
          ...rowConditionsOf(test as Test).flatMap((one) =>
            literalsIn(one).map(([column, value]): [string, unknown] => [`${path}.${column}`, value]),
          ),
        ],
  )
}
