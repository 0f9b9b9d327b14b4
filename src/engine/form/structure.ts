import type { RJSFSchema, UiSchema } from '@rjsf/utils'
import type { Field } from '../../contract/types.ts'
import { CONTACT_PARTS } from '../widgets/contactParts.ts'

/** What rjsf draws: which controls there are and which must be filled. */
export interface Structure {
  schema: RJSFSchema
  uiSchema: UiSchema
}

/**
 * The structure of a set of fields. rjsf is told no more than that a field is one control, a group of controls or a
 * list of rows; a widget knows its field (`options.spec`), and judge() alone says what is wrong with a value.
 */
export function structureOf(fields: Field[], required: string[]): Structure {
  const parts = fields.map((field) => [field.name, partOf(field)] as const)
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(parts.map(([name, { schema }]) => [name, schema])),
      required,
    },
    uiSchema: Object.fromEntries(parts.map(([name, { uiSchema }]) => [name, uiSchema])),
  }
}

function partOf(field: Field): Structure {
  const options = { 'ui:options': { spec: field } }
  const title = field.label
  if (field.attrs?.read_only) {
    return { schema: { type: 'string', title }, uiSchema: { ...options, 'ui:widget': 'shown' } }
  }
  if (field.type === 'repeat') {
    return { schema: { type: 'array', title }, uiSchema: { ...options, 'ui:field': 'repeat' } }
  }
  if (field.type === 'contact') {
    const { schema, uiSchema } = structureOf(CONTACT_PARTS, [])
    return { schema: { ...schema, title }, uiSchema: { ...uiSchema, ...options } }
  }
  const widget = field.attrs?.ref ? 'ref' : field.type
  return { schema: { type: 'string', title }, uiSchema: { ...options, 'ui:widget': widget } }
}
