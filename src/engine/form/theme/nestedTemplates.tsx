import { Button } from '@blueprintjs/core'
import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  ObjectFieldTemplateProps,
} from '@rjsf/utils'
import { fieldOf } from '../widgets/widgetProps.ts'

// rjsf renders contacts and rows by these where a form has no store; ours renders them by Contact.tsx and Repeat.tsx.

/** The properties of an object. FieldTemplate has its label, unless it is a group of the form. */
export function ObjectFieldTemplate({ title, properties, fieldPathId, uiSchema }: ObjectFieldTemplateProps) {
  const isRow = typeof fieldPathId.path.at(-1) === 'number'
  const content = properties.map((property) => property.content)
  if (!title || isRow || fieldOf(uiSchema?.['ui:options'])) return content
  const heading = `${fieldPathId.$id}__title`
  return (
    <section className="form-section" aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {content}
    </section>
  )
}

/** The rows of an array, whose label is above. */
export function ArrayFieldTemplate({ items, canAdd, onAddClick, title }: ArrayFieldTemplateProps) {
  return (
    <div className="repeat">
      {items}
      {canAdd && (
        <Button
          className="repeat-add"
          icon="plus"
          text={items.length > 0 ? 'Add another' : 'Add'}
          aria-label={`Add ${title}`}
          onClick={onAddClick}
        />
      )}
    </div>
  )
}

/** A row of an array, with its number. */
export function ArrayFieldItemTemplate(props: ArrayFieldItemTemplateProps) {
  const { index, buttonsProps, parentUiSchema, children } = props
  const name = `${fieldOf(parentUiSchema?.['ui:options'])?.label ?? 'Row'} ${index + 1}`
  return (
    <fieldset className="repeat-row">
      <legend>{name}</legend>
      {children}
      {buttonsProps.hasRemove && (
        <Button
          size="small"
          icon="trash"
          text="Remove"
          aria-label={`Remove ${name}`}
          onClick={buttonsProps.onRemoveItem}
        />
      )}
    </fieldset>
  )
}
